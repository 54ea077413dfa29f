/** No dead ends (contract §0): whatever an answer names as the next step, the call succeeds. */
import { afterAll, expect, test } from "vitest";
import { newEmail, orderOf } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Answer, payAsBuyer, quoteRequest, register, send } from "../support/shopper.ts";

const [STOCKED, SOLD_OUT, WAITLISTED, LOCKED] = [
  "kenya-nyeri",
  "peru-cajamarca-decaf",
  "rwanda-huye",
  "yemen-haraz",
] as const;

const shop = await startService();
afterAll(() => shop.stop());
const { stock } = shop.service.merchant.admin("cli");
await stock.set({ product_id: SOLD_OUT, on_hand: 0 });
await stock.set({ product_id: WAITLISTED, on_hand: 2 });
const key = await register(shop.baseUrl);
const call = (path: string, body?: unknown, method?: string) =>
  send(shop.baseUrl, path, { key, body, ...(method && { method }) });
const quote = (product_id: string, quantity = 1, more: object = {}) =>
  call("/v1/quote-requests", {
    ...quoteRequest({ email: newEmail(), product_id, quantity }),
    ...more,
  });
const checkout = ({ body }: Answer) =>
  call(`/v1/quotes/${body.id}/checkout`, { quote_hash: body.quote_hash });
const link = () => call(`/v1/quick-checkout?items=${STOCKED}:1&format=json`);

/** Bodies for writes, by the end of their path. */
const BODIES: Record<string, () => object> = {
  register: () => ({ name: "Follower", contact_email: newEmail() }),
  "quote-requests": () => quoteRequest({ email: newEmail(), product_id: STOCKED }),
  waitlist: () => ({ product_id: WAITLISTED, quantity: 20, buyer: { email: newEmail() } }),
  "cancel-requests": () => ({ reason_code: "OTHER" }),
  feedback: () => ({ message: "Please ring twice." }),
  "bulk-leads": () => ({ email: newEmail(), purpose: "A conference" }),
};

/** What a caller adds to an action that names no values. */
async function completed(method: string, path: string): Promise<[string, unknown?]> {
  if (path === "/v1/ask") return [`${path}?q=How+is+it+roasted`];
  if (path === "/v1/quick-checkout") return [`${path}?items=${STOCKED}:1&format=json`];
  if (path === "/v1/link-orders") {
    return [`${path}?checkout_url=${encodeURIComponent((await link()).body.checkout_url)}`];
  }
  const [, quoteId] = /^\/v1\/quotes\/(\w+)\/checkout$/.exec(path) ?? [];
  if (quoteId !== undefined) {
    const { body } = await call(`/v1/quotes/${quoteId}`);
    return [path, { quote_hash: body.quote_hash }];
  }
  const [, noun = ""] = /\/([\w-]+)$/.exec(path) ?? [];
  return [path.replace("wait=25", "wait=0"), method === "POST" ? BODIES[noun]?.() : undefined];
}

/** Takes every step that this answer leads to, each once. Returns the refused ones. */
async function deadEnds(first: Answer, seen: Set<string>): Promise<string[]> {
  const refused: string[] = [];
  const left = [first];
  for (let from = left.shift(); from; from = left.shift()) {
    for (const { action, why } of from.body.next as { action: string; why: string }[]) {
      const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(action) ?? [];
      if (!method || !path || seen.has(action)) continue;
      seen.add(action);
      const [address, body] = await completed(method, path);
      const answer = await call(address, body, method);
      const isEarly = answer.body.code === "ORDER_NOT_READY";
      if (answer.status >= 400 && !isEarly) {
        refused.push(`${action} (${why}): ${answer.body.code}, ${answer.body.detail}`);
      }
      if (answer.body.next) left.push(answer);
    }
  }
  return refused;
}

async function paid() {
  const made = await quote(STOCKED, 2);
  const { body } = await checkout(made);
  await payAsBuyer(shop.baseUrl, body.review_url);
  const order = await orderOf(shop.baseUrl, key, made.body.id);
  return { made, order };
}

const ANSWERS: [string, () => Promise<Answer>][] = [
  ["the catalog", () => call("/v1/catalog")],
  ["the policy", () => call("/v1/policy")],
  ["a question", () => call("/v1/ask?q=Can+I+cancel+or+wait+for+a+coffee")],
  ["a registration", () => call("/v1/agents/register", BODIES.register!())],
  ["a quote", () => quote(STOCKED)],
  ["a quote for more than the stock", () => quote(WAITLISTED, 3)],
  ["a quote for more than the waitlist takes", () => quote(WAITLISTED, 50)],
  ["a sold-out bean", () => quote(SOLD_OUT)],
  ["an unknown code", () => quote(STOCKED, 1, { discount_code: "NONE" })],
  ["too many bags", () => quote(STOCKED, 101)],
  ["a checkout", async () => checkout(await quote(STOCKED))],
  ["a checkout that cannot be paid", async () => checkout(await quote(WAITLISTED, 9))],
  [
    "a wrong hash",
    async () => {
      const { body } = await quote(STOCKED);
      return call(`/v1/quotes/${body.id}/checkout`, { quote_hash: `sha256:${"0".repeat(64)}` });
    },
  ],
  ["a checkout page", link],
  ["an unknown page", () => call("/v1/link-orders?checkout_url=https%3A%2F%2Fshop.example")],
  ["a link for too many bags", () => call(`/v1/quick-checkout?items=${WAITLISTED}:21&format=json`)],
  ["a link for the locked bean", () => call(`/v1/quick-checkout?items=${LOCKED}:1&format=json`)],
  ["a paid quote", async () => checkout((await paid()).made)],
  ["an order", async () => call(`/v1/orders/${(await paid()).order.id}`)],
  [
    "a cancel request",
    async () =>
      call(`/v1/orders/${(await paid()).order.id}/cancel-requests`, { reason_code: "OTHER" }),
  ],
  ["a place in the queue", () => call("/v1/waitlist", BODIES.waitlist!())],
  ["a place for too many", () => call("/v1/waitlist", { ...BODIES.waitlist!(), quantity: 40 })],
  [
    "a waitlist that a bean lacks",
    () => call("/v1/waitlist", { ...BODIES.waitlist!(), product_id: STOCKED }),
  ],
  ["bags in stock", () => call("/v1/waitlist", { ...BODIES.waitlist!(), quantity: 1 })],
  ["a quote of nobody", () => call("/v1/quotes/qte_none")],
  ["an order of nobody", () => call("/v1/orders/ord_none")],
  ["a place of nobody", () => call("/v1/waitlist/wl_none")],
];

test.each(ANSWERS)("%s leads to no refused call", async (_, made) => {
  expect(await deadEnds(await made(), new Set())).toEqual([]);
});
