/** A client that does what `next` tells it, and fills in what an agent or its buyer knows. */
import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { ENDPOINTS, type ToolName } from "../../src/core/next-step.ts";
import { operations } from "../../tools/index.ts";
import { EXCLUSIVE, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { call } from "../support/mcp-clients.ts";
import { quoteRequest, send } from "../support/shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;
export type Args = Record<string, Any>;

export interface Step {
  action: string;
  why: string;
}

/** An answer or a refusal, and the call that it answers. */
export interface Said {
  tool: string;
  args: Args;
  /** Code of a refusal. Not ordered yet is none. */
  refused: string | null;
  /** HTTP status. */
  status?: number;
  body: Any;
  text: string;
  next: Step[];
  /** A complete call that a refusal shows. */
  example?: Args | undefined;
}

/** One interface. `key` is what its client has, and sends if the interface takes it. */
export interface Door {
  /** Ids are in the path. */
  isHttp: boolean;
  key: string | undefined;
  call(tool: string, args: Args): Promise<Said>;
  /** The tool that a step names, with the ids in its endpoint; null for a step of the buyer. */
  meant(step: Step): { tool: ToolName; args: Args } | null;
}

const isWrite = (tool: string): boolean =>
  operations.find(({ name }) => name === tool)?.effect === "write";

export const changes = (tool: string): boolean =>
  isWrite(tool) || tool === "build_quick_checkout_link";

const refusedCode = (code: string | undefined): string | null =>
  code === undefined || code === "ORDER_NOT_READY" ? null : code;

/** Over MCP. The key is an argument, so that one connection serves every scene. */
export function mcpDoor(client: Client, key?: string): Door {
  const door: Door = {
    isHttp: false,
    key,
    async call(tool, args) {
      const sent = {
        ...(isWrite(tool) && { idempotency_key: randomUUID() }),
        ...(door.key !== undefined && { api_key: door.key }),
        ...args,
      };
      const { isError, structuredContent: body, content } = await call(client, tool, sent);
      const text = content.map((one: Any) => one.text ?? "").join("\n");
      const [, code] = /^(\w+): /.exec(text) ?? [];
      const [, example] = /^A complete call: (.+)$/m.exec(text) ?? [];
      const told = [...text.matchAll(/^Next: (.+?): (.+)$/gm)];
      return {
        ...{ tool, args, text, body: body ?? {} },
        refused: isError ? refusedCode(code) : null,
        next: body?.next ?? told.map(([, action, why]) => ({ action, why })),
        ...(example && { example: JSON.parse(example) }),
      };
    },
    meant: ({ action }) =>
      Object.hasOwn(ENDPOINTS, action) ? { tool: action as ToolName, args: {} } : null,
  };
  return door;
}

/** Over /v1. */
export function httpDoor(baseUrl: string, key?: string): Door {
  const door: Door = {
    isHttp: true,
    key,
    async call(tool, args) {
      const { method, path } = operations.find((one) => one.name === tool)!.http;
      const rest = { ...args };
      const at = path.replace(/\{(\w+)\}/, (_, id: string) => {
        const value = rest[id] ?? "none";
        delete rest[id];
        return encodeURIComponent(value);
      });
      const { finder_key, idempotency_key: _, ...input } = rest;
      const isGet = method === "GET";
      const query = isGet ? `?${queryOf(tool, input)}` : "";
      const { status, body, text } = await send(baseUrl, at + query, {
        method,
        key: door.key,
        ...(method === "POST" && { body: input }),
        headers: finder_key ? { "finder-key": finder_key } : {},
      });
      return {
        ...{ tool, args, status, text, body: body ?? {}, next: body?.next ?? [] },
        refused: status < 400 ? null : refusedCode(body?.code ?? String(status)),
        example: body?.example,
      };
    },
    meant({ action }) {
      const [path = "", query = ""] = action.split("?");
      // The buyer does nothing meanwhile, so waiting would not help.
      const { wait: _, ...asked } = Object.fromEntries(new URLSearchParams(query));
      for (const [tool, endpoint] of Object.entries(ENDPOINTS)) {
        const found = new RegExp(`^${endpoint.replace(/\{\w+\}/, "([^/]+)")}$`).exec(path);
        const [id] = /(?<=\{)\w+(?=\})/.exec(endpoint) ?? [];
        if (found) {
          const args = id === undefined ? asked : { [id]: decodeURIComponent(found[1]!) };
          return { tool: tool as ToolName, args };
        }
      }
      return null;
    },
  };
  return door;
}

/** A link has its beans in one parameter. */
function queryOf(tool: string, { items, ...rest }: Args): URLSearchParams {
  const isLink = tool === "build_quick_checkout_link";
  const bags = Array.isArray(items)
    ? items.map(({ product_id, quantity }) => `${product_id}:${quantity}`).join(",")
    : items;
  return new URLSearchParams({
    ...rest,
    ...(bags !== undefined && { items: bags }),
    ...(isLink && { format: "json" }),
  });
}

/** What the agent of a scene knows besides the last answer. */
export interface Known {
  email: string;
  quote?: { id: string; quote_hash: string } | undefined;
  order?: string | undefined;
  entry?: string | undefined;
  finderKey?: string | undefined;
  /** Bags that the buyer wants, and those in stock. */
  wanted?: number;
  left?: number;
  /** Address in the buyer's browser. */
  page?: string | undefined;
}

/** Arguments of an agent that does what a step says. */
export function argumentsFor(tool: ToolName, said: Said, { why }: Step, known: Known): Args {
  const { body, args, example, tool: last } = said;
  if (example && tool === last) return example;
  const texts = [why, JSON.stringify(body), said.text, JSON.stringify(args)];
  const id = (prefix: string): string | undefined => {
    const found = texts.map((text) => new RegExp(`\\b${prefix}_[0-9A-Za-z]{10,}`).exec(text)?.[0]);
    return found.find((one) => one !== undefined);
  };
  const quote_id = id("qte") ?? known.quote?.id;
  const order_id = id("ord") ?? /order #?(\d{4,})/.exec(texts.join())?.[1] ?? known.order;
  const waitlist_id = id("wl") ?? known.entry;
  const withKey = /finder[_-]key/i.test(why) && known.finderKey;
  const finder = withKey ? { finder_key: known.finderKey } : {};
  switch (tool) {
    case "register_agent":
      return { name: "Follower", contact_email: "follower@example.com" };
    case "get_catalog":
    case "get_policy":
    case "list_orders":
      return {};
    case "ask":
      return { q: args.q ?? "What does the Kenya Nyeri taste like?" };
    case "request_quote":
      return { ...quoteFor(said, why, known), ...finder };
    case "get_quote":
    case "get_quote_order":
      return { quote_id };
    case "create_checkout": {
      const [quote_hash = known.quote?.quote_hash] = /sha256:[0-9a-f]{64}/.exec(texts.join()) ?? [];
      return { quote_id, quote_hash, ...finder };
    }
    case "get_order":
    case "list_order_events":
    case "withdraw_cancellation":
      return { order_id };
    case "request_cancellation": {
      const named = /name them in shipment_ids: (.+?)\./.exec(said.text)?.[1];
      const left = named?.match(/shp_\w+/g) ?? shipmentsHere(body, why);
      return { order_id, reason_code: "OTHER", ...(left?.length && { shipment_ids: left }) };
    }
    case "join_waitlist": {
      const [short] = body.waitlist?.short ?? [];
      const most = Number(/at most (\d+) bags/i.exec(`${why} ${said.text}`)?.[1] ?? Infinity);
      const asked = short?.requested ?? body.quantity ?? args.quantity ?? args.items?.[0].quantity;
      const wanted = asked ?? known.wanted ?? 1;
      const product_id = short?.product_id ?? body.product_id ?? WAITLISTED;
      return { product_id, quantity: Math.min(wanted, most), buyer: { email: known.email } };
    }
    case "get_waitlist_entry":
    case "leave_waitlist":
      return { waitlist_id };
    case "send_feedback":
      return { message: "What the buyer wants.", ...(/order_id/.test(why) && { order_id }) };
    case "send_bulk_lead":
      return { email: known.email, purpose: "More bags for an office." };
    case "build_quick_checkout_link":
      return { items: bagsOf(body.items ?? args.items).slice(0, /corrected/.test(why) ? 1 : 20) };
    case "get_link_order":
      return { checkout_url: known.page ?? body.checkout_url ?? args.checkout_url };
  }
}

const bagsOf = (items: Any) =>
  Array.isArray(items)
    ? items.map(({ product_id, quantity }) => ({ product_id, quantity }))
    : [{ product_id: STOCKED, quantity: 1 }];

/** Shipments that have not left, if the step says to name them. */
const shipmentsHere = ({ shipments = [] }: Any, why: string): string[] | undefined =>
  /shipment_ids/.test(why)
    ? shipments
        .filter(({ status }: Any) => status === "PENDING" || status === "ROASTING")
        .map(({ id }: Any) => id)
    : undefined;

/** The last request, changed as the step says. */
function quoteFor({ body, args, refused, tool }: Said, why: string, known: Known): Args {
  const { email, left } = known;
  const { terms } = body;
  const asked = terms
    ? {
        buyer: terms.buyer,
        shipments: terms.shipments.map(requested),
        ...(terms.discount_code && { discount_code: terms.discount_code.code }),
      }
    : tool === "request_quote" && args.shipments && refused !== "VALIDATION_FAILED"
      ? structuredClone(args)
      : null;
  const product_id = body.product_id ?? args.product_id;
  const quantity = body.quantity ?? args.quantity ?? 1;
  const quote: Args = asked ?? quoteRequest({ email, ...(product_id && { product_id, quantity }) });
  if (/discount_code/.test(why)) delete quote.discount_code;
  for (const { items } of quote.shipments) {
    for (const item of items) {
      const short = body.waitlist?.short.find((one: Any) => one.product_id === item.product_id);
      if (short && /in stock now/.test(why)) item.quantity = short.available;
      if (left !== undefined && /in stock|are held/.test(why)) item.quantity = left;
      if (/corrected/.test(why)) item.quantity = 1;
      if (item.product_id === EXCLUSIVE && /without it/.test(why)) item.product_id = STOCKED;
    }
  }
  return quote;
}

const requested = ({ recipient_ref, address, items, gift_notes }: Any) => ({
  recipient_ref,
  address: Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)),
  items: bagsOf(items),
  gift_notes,
});
