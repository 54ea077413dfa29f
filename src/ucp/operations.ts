import { z } from "zod";
import { type Operation, publicRead, publicWrite } from "../api/operation.ts";
import type { CheckoutKind } from "../checkouts/checkout.ts";
import type { Intent, Reply } from "../core/command.ts";
import { list, text, whole } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { AskedSession } from "../quotes/cart-session.ts";
import type { SessionWritten } from "../quotes/cart-session-verbs.ts";
import { getProduct, lookup, SearchInput, search } from "./catalog.ts";
import { Content, failed } from "./envelope.ts";
import { orderView } from "./order.ts";
import { sessionView } from "./session.ts";

/** A tool's name at `/ucp/mcp`. Elsewhere it has a prefix, for `/v1` has a `create_checkout` too. */
export const toolOf = ({ name }: Operation): string => name.slice(PREFIX.length);

const PREFIX = "ucp_";

/** The member of a tool's arguments that is the body over REST; undefined where only an id is read. */
export const bodyMember = ({ input }: Operation): string | undefined =>
  Object.keys(input.shape).find((name) => name !== "id");

/** `created` answers 201 over REST. */
const Answer = z.object({ created: z.boolean(), content: Content });

export type Answer = z.infer<typeof Answer>;

const answerOf = (content: Content): Answer => ({ created: false, content });

const base = (tool: string, endpoint: string, description: string) => {
  const [method, path] = endpoint.split(" ") as [Operation["http"]["method"], string];
  return {
    name: `${PREFIX}${tool}`,
    title: tool.replaceAll("_", " "),
    description,
    tag: "Quotes" as const,
    http: { method, path: `/ucp${path}`, status: 200 as const },
    output: Answer,
  };
};

function catalogOperation<I extends z.ZodType>(
  [tool, path, description]: [tool: string, path: string, description: string],
  input: I,
  run: (merchant: Merchant, catalog: z.output<I>) => Promise<Content>,
): Operation {
  return publicRead({
    ...base(tool, `POST /catalog/${path}`, description),
    input: z.looseObject({ catalog: input }),
    run: async ({ input: { catalog } }, merchant) =>
      answerOf(await run(merchant, catalog as z.output<I>)),
  });
}

const id = (what: string) => text({ what, most: LIMITS.id_characters });

/** Upper bounds, so that nothing long is walked. The shop's own limits have better words. */
const MOST = { bags: 1_000_000, lines: 100, ids: 100 } as const;

// Only members named here are read: no price, status, total or link of a client ever comes back.
const LineItem = z.looseObject({
  item: z.looseObject({
    id: id("The product id").describe("A product id of the catalog."),
    quantity_unit: z
      .looseObject({
        unit: text({ what: "The unit", most: LIMITS.code_characters }),
        scale: whole({ least: 0, most: 20 }).nullish(),
      })
      .nullish()
      .describe("Only unit C62 with scale 0, which stands for one bag."),
  }),
  quantity: whole({ least: 1, most: MOST.bags }).describe("8 oz bags."),
});
const Code = text({ what: "The code", most: LIMITS.text_characters, least: 0 });
const lines = (empty?: string) =>
  list(LineItem, { most: MOST.lines, of: "lines", ...(empty && { empty }) });
const Goods = z.looseObject({
  line_items: lines("At least one line."),
  buyer: z
    .looseObject({
      email: text({ what: "The email", most: LIMITS.email_characters, least: 0 }).nullish(),
    })
    .nullish(),
  discounts: z
    .looseObject({ codes: list(Code, { most: 20, of: "codes" }).nullish() })
    .nullish()
    .describe("One code per order. Leave it out, or send no code, to take the code off."),
});
const NewCheckout = Goods.extend({
  line_items: lines().nullish().describe("Ignored where cart_id is sent."),
  cart_id: id("The cart id").nullish().describe("A cart makes one checkout, with its content."),
}).refine(({ cart_id: from, line_items: lines }) => typeof from === "string" || lines?.length, {
  path: ["line_items"],
  error: "At least one line, or a cart_id.",
});
type Sent = z.output<typeof NewCheckout>;

const requestOf = ({ line_items, buyer, discounts }: Sent): AskedSession => ({
  lines: (line_items ?? []).map(({ item, quantity }) => ({
    product_id: item.id,
    quantity,
    unit: otherUnit(item.quantity_unit),
  })),
  email: buyer?.email ?? undefined,
  codes: discounts?.codes ?? [],
});

/** The unit if it is not one piece. An absent one asserts nothing. */
const otherUnit = (sent: z.output<typeof LineItem>["item"]["quantity_unit"]): string | undefined =>
  !sent || (sent.unit === "C62" && (sent.scale ?? 0) === 0) ? undefined : sent.unit;

const Id = id("The id");
const ById = z.looseObject({ id: Id });

const BUYER_PAYS = "The buyer enters the address and pays at continue_url; no agent can.";

/** Operations of carts or of checkouts. */
function sessionOperations(kind: CheckoutKind, noun: "cart" | "checkout", path: string) {
  const byId = `${path}/{id}`;
  const reads = (
    [verb, endpoint, description]: [verb: string, endpoint: string, description: string],
    run: (sessions: Merchant["cartSessions"], id: string) => Promise<SessionWritten>,
  ) =>
    publicRead({
      ...base(`${verb}_${noun}`, endpoint, description),
      input: ById,
      run: async ({ input: { id } }, merchant) =>
        contentOf(merchant, await run(merchant.cartSessions, id)),
    });
  const writes = (
    [verb, endpoint, description]: [verb: string, endpoint: string, description: string],
    input: z.ZodObject,
    run: (
      sessions: Merchant["cartSessions"],
      sent: { id: string; content: Sent },
      intent: Intent,
    ) => Promise<Reply<SessionWritten>>,
  ) =>
    publicWrite({
      ...base(`${verb}_${noun}`, endpoint, description),
      input,
      async run({ input, intent }, merchant) {
        const sent = { id: input.id as string, content: input[noun] as Sent };
        const { body, replayed } = await run(merchant.cartSessions, sent, intent);
        return { body: contentOf(merchant, body), replayed };
      },
    });
  const contentOf = (merchant: Merchant, body: SessionWritten): Answer => ({
    created: body.created ?? false,
    content:
      body.session === undefined
        ? failed(merchant.baseUrl, body.problems)
        : sessionView(merchant, kind, body.session, body),
  });
  return [
    writes(
      ["create", `POST ${path}`, `Start a ${noun}. ${BUYER_PAYS}`],
      z.looseObject({ [noun]: kind === "chk" ? NewCheckout : Goods }),
      (sessions, { content }, intent) =>
        kind === "chk" && typeof content.cart_id === "string"
          ? sessions.createFromCart(content.cart_id, intent)
          : sessions.create(kind, requestOf(content), intent),
    ),
    reads(["get", `GET ${byId}`, `Read a ${noun}, and whether it is paid.`], async (own, id) => ({
      session: await own.get(id, kind),
    })),
    writes(
      ["update", `PUT ${byId}`, `Replace a ${noun}'s content; its link stays.`],
      z.looseObject({ id: Id, [noun]: Goods }),
      (sessions, { id, content }, intent) => sessions.update(id, kind, requestOf(content), intent),
    ),
    ...(kind === "chk"
      ? [
          reads(
            ["complete", `POST ${byId}/complete`, `Pays nothing. ${BUYER_PAYS}`],
            (sessions, id) => sessions.complete(id),
          ),
        ]
      : []),
    writes(
      ["cancel", `POST ${byId}/cancel`, `End a ${noun} that is not paid.`],
      ById,
      (sessions, { id }, intent) => sessions.cancel(id, kind, intent),
    ),
  ];
}

const getOrder = publicRead({
  ...base("get_order", "GET /orders/{id}", "Follow a paid order: tracking, cancellation, refunds."),
  input: z.looseObject({ id: Id.describe("order.id of the paid checkout. Keep it secret.") }),
  run: async ({ input: { id } }, merchant) =>
    answerOf(orderView(merchant, await merchant.orders.ofSession(id))),
});

const Ids = z.looseObject({
  ids: list(id("The id"), { empty: "At least one id.", most: MOST.ids, of: "ids" }),
});

export const ucpOperations: readonly Operation[] = [
  catalogOperation(["search_catalog", "search", "Search the beans."], SearchInput, search),
  catalogOperation(["lookup_catalog", "lookup", "Read beans by their ids."], Ids, lookup),
  catalogOperation(["get_product", "product", "Read one bean by its id."], ById, getProduct),
  ...sessionOperations("crt", "cart", "/carts"),
  ...sessionOperations("chk", "checkout", "/checkout-sessions"),
  getOrder,
];
