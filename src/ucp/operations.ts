import { z } from "zod";
import { type Operation, publicRead, publicWrite } from "../api/operation.ts";
import type { Reply } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import { list } from "../core/fields.ts";
import type { Merchant } from "../merchant/merchant.ts";
import type { AskedSession, SessionKind } from "../quotes/cart-session.ts";
import type { SessionWritten } from "../quotes/cart-session-verbs.ts";
import { getProduct, lookup, SearchInput, search } from "./catalog.ts";
import { failed } from "./messages.ts";
import { sessionView } from "./session.ts";

/** One operation of UCP: a tool at `/ucp/mcp`, and a path under `/ucp`. */
export interface UcpOperation {
  tool: string;
  /** The member of a tool's arguments that is the body over REST; null where only an id is read. */
  resource: Resource | null;
  operation: Operation;
}

type Resource = "catalog" | "cart" | "checkout";

/** `created` answers 201 over REST. */
const Answer = z.object({ created: z.boolean(), content: z.looseObject({}) });

export type Answer = z.infer<typeof Answer>;

const read = (content: object): Answer => ({ created: false, content: { ...content } });

const about = (tool: string, path: string, description: string) => {
  const [method, route] = path.split(" ") as [Operation["http"]["method"], string];
  return {
    name: `ucp_${tool}`,
    title: tool.replaceAll("_", " "),
    description,
    tag: "Quotes" as const,
    http: { method, path: `/ucp${route}`, status: 200 as const },
    output: Answer,
  };
};

function catalogOperation<I extends z.ZodType>(
  tool: string,
  path: string,
  description: string,
  input: I,
  run: (merchant: Merchant, catalog: z.output<I>) => Promise<object>,
): UcpOperation {
  const operation = publicRead({
    ...about(tool, `POST /catalog/${path}`, description),
    limits: ["ucp"],
    input: z.looseObject({ catalog: input }),
    run: async ({ input: { catalog } }, merchant) =>
      read(await run(merchant, catalog as z.output<I>)),
  });
  return { tool, resource: "catalog", operation };
}

// Unknown members are ignored: only what is named here is read, so no price, status, total or link of a
// client ever comes back.
const LineItem = z.looseObject({
  item: z.looseObject({ id: z.string().describe("A product id of the catalog.") }),
  quantity: z.int().min(1).describe("8 oz bags."),
});
const Content = z.looseObject({
  line_items: z.array(LineItem).min(1, "At least one line."),
  buyer: z.looseObject({ email: z.string().nullish() }).nullish(),
  discounts: z
    .looseObject({ codes: list(z.string(), { most: 20, of: "codes" }).nullish() })
    .nullish()
    .describe("One code per order. Leave it out, or send no code, to take the code off."),
});
const NewCheckout = Content.extend({
  line_items: z.array(LineItem).nullish().describe("Ignored where cart_id is sent."),
  cart_id: z.string().nullish().describe("A cart makes one checkout, with its content."),
}).refine(({ cart_id: from, line_items: lines }) => typeof from === "string" || lines?.length, {
  path: ["line_items"],
  error: "At least one line, or a cart_id.",
});

const askedIn = ({ line_items, buyer, discounts }: z.output<typeof NewCheckout>): AskedSession => ({
  lines: (line_items ?? []).map(({ item, quantity }) => ({ product_id: item.id, quantity })),
  email: buyer?.email ?? undefined,
  codes: discounts?.codes ?? [],
});

/** What is not there is a result of its own over UCP, and no protocol error. */
async function orNotFound<R>(merchant: Merchant, run: () => Promise<R>): Promise<R | Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MerchantError && error.code === "NOT_FOUND")) throw error;
    const problem = { pointer: "", code: error.code, detail: error.message };
    return read(failed(merchant.baseUrl, [problem]));
  }
}

async function write(
  merchant: Merchant,
  kind: SessionKind,
  run: () => Promise<Reply<SessionWritten>>,
): Promise<Reply<Answer>> {
  const reply = await orNotFound(merchant, run);
  if (!("body" in reply)) return { body: reply, replayed: false };
  const { body, replayed } = reply;
  const content =
    body.session === undefined
      ? failed(merchant.baseUrl, body.problems)
      : sessionView(merchant, kind, body.session, body);
  return { body: { created: body.created ?? false, content }, replayed };
}

const BUYER_PAYS = "The buyer enters the address and pays at continue_url; no agent can.";

const Id = z.string().max(80);
const ById = z.looseObject({ id: Id });

/** What carts and checkouts have in common: create, read, replace, end. */
function sessionOperations(kind: SessionKind, noun: "cart" | "checkout", path: string) {
  const get = (id: string, merchant: Merchant) =>
    orNotFound(merchant, async () =>
      read(sessionView(merchant, kind, await merchant.cartSessions.get(id, kind))),
    );
  const limits = ["ucp", "quote_bytes"] as const;
  const bodied = (tool: string, operation: Operation) => ({ tool, resource: noun, operation });
  const create = publicWrite({
    ...about(`create_${noun}`, `POST ${path}`, `Start a ${noun}. ${BUYER_PAYS}`),
    limits,
    input: z.looseObject({ [noun]: kind === "chk" ? NewCheckout : Content }),
    run: ({ input, intent }, merchant) => {
      const asked = input[noun] as z.output<typeof NewCheckout>;
      const { cartSessions } = merchant;
      return write(merchant, kind, () =>
        kind === "chk" && typeof asked.cart_id === "string"
          ? cartSessions.createFromCart(asked.cart_id, intent)
          : cartSessions.create(kind, askedIn(asked), intent),
      );
    },
  });
  const update = publicWrite({
    ...about(`update_${noun}`, `PUT ${path}/{id}`, `Replace a ${noun}'s content; its link stays.`),
    limits,
    input: z.looseObject({ id: Id, [noun]: Content }),
    run: ({ input, intent }, merchant) => {
      const asked = askedIn(input[noun] as z.output<typeof NewCheckout>);
      return write(merchant, kind, () =>
        merchant.cartSessions.update(input.id as string, kind, asked, intent),
      );
    },
  });
  const readIt = publicRead({
    ...about(`get_${noun}`, `GET ${path}/{id}`, `Read a ${noun}, and its order once paid.`),
    limits: ["ucp"],
    input: ById,
    run: ({ input }, merchant) => get(input.id, merchant),
  });
  const cancel = publicWrite({
    ...about(`cancel_${noun}`, `POST ${path}/{id}/cancel`, `End a ${noun} that is not paid.`),
    limits,
    input: ById,
    run: ({ input, intent }, merchant) =>
      write(merchant, kind, () => merchant.cartSessions.cancel(input.id, kind, intent)),
  });
  const complete = publicRead({
    ...about(`complete_${noun}`, `POST ${path}/{id}/complete`, `Pays nothing. ${BUYER_PAYS}`),
    limits: ["ucp"],
    input: z.looseObject({ id: Id, [noun]: z.unknown().optional() }),
    run: ({ input }, merchant) => get(input.id as string, merchant),
  });
  return [
    bodied(`create_${noun}`, create),
    { tool: `get_${noun}`, resource: null, operation: readIt },
    bodied(`update_${noun}`, update),
    { tool: `cancel_${noun}`, resource: null, operation: cancel },
    ...(kind === "chk" ? [bodied(`complete_${noun}`, complete)] : []),
  ];
}

export const ucpOperations: readonly UcpOperation[] = [
  catalogOperation(
    "search_catalog",
    "search",
    "Search the beans on sale.",
    SearchInput,
    (merchant, wanted) => search(merchant, wanted),
  ),
  catalogOperation(
    "lookup_catalog",
    "lookup",
    "Read beans by their ids.",
    z.looseObject({ ids: z.array(z.string()).min(1, "At least one id.") }),
    (merchant, { ids }) => lookup(merchant, ids),
  ),
  catalogOperation(
    "get_product",
    "product",
    "Read one bean by its id.",
    z.looseObject({ id: z.string() }),
    (merchant, { id }) => getProduct(merchant, id),
  ),
  ...sessionOperations("crt", "cart", "/carts"),
  ...sessionOperations("chk", "checkout", "/checkout-sessions"),
];
