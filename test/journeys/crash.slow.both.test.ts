/** kill -9 at any point of a purchase, restart, and it is finished with exactly one order (contract §16). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { dump, type LastingDatabase, lastingDatabase } from "../support/lasting-database.ts";
import { freePort } from "../support/loopback.ts";
import { type Process, startProcess } from "../support/process.ts";
import { form, newEmail } from "../support/purchase.ts";
import {
  type Answer,
  eventually,
  quoteRequest,
  type Send,
  send,
  VISA,
} from "../support/shopper.ts";

let database: LastingDatabase;
let env: { PORT: string; DATABASE_URL: string };
let shop: Process;

beforeAll(async () => {
  database = await lastingDatabase();
  env = { PORT: await freePort(), DATABASE_URL: database.url };
  shop = await startProcess(env);
});
afterAll(async () => {
  await shop.end("SIGKILL");
});

async function crash() {
  await shop.end("SIGKILL");
  shop = await startProcess(env);
}

/** State of a purchase so far. */
interface Known {
  key: string;
  quote: { id: string; quote_hash: string };
  reviewUrl: string;
  hosted: string;
}

const ask = (path: string, options: Send = {}) => send(shop.baseUrl, path, options);

/** Every write of a purchase under its own key, so that a client may send any of them again. */
const steps: [name: string, run: (known: Known, email: string) => Promise<Answer>][] = [
  [
    "the quote",
    async (known, email) => {
      const body = quoteRequest({ email, discount_code: "FIRSTBAG" });
      const answer = await ask("/v1/quote-requests", {
        key: known.key,
        body,
        idempotencyKey: "quote",
      });
      known.quote = answer.body;
      return answer;
    },
  ],
  [
    "the checkout",
    async (known) => {
      const answer = await ask(`/v1/quotes/${known.quote.id}/checkout`, {
        key: known.key,
        body: { quote_hash: known.quote.quote_hash },
        idempotencyKey: "checkout",
      });
      known.reviewUrl = answer.body.review_url;
      return answer;
    },
  ],
  [
    "pressing pay",
    async (known) => {
      const answer = await ask(known.reviewUrl, form({}));
      known.hosted = answer.headers.get("location") ?? "";
      return answer;
    },
  ],
  ["paying", (known) => ask(`${known.hosted}/pay`, form({ card: VISA }))],
];

async function newKnown(): Promise<Known> {
  const registered = await ask("/v1/agents/register", {
    body: { name: "Test agent", contact_email: "agent@example.com" },
  });
  const none = { quote: { id: "", quote_hash: "" }, reviewUrl: "", hosted: "" };
  return { key: registered.body.api_key, ...none };
}

async function expectOneOrder({ key, quote }: Known) {
  const order = await eventually(async () => {
    const answer = await ask(`/v1/quotes/${quote.id}/order`, { key });
    return answer.status === 200 && answer.body;
  });
  expect(order.payment).toMatchObject({ status: "PAID", amount_minor: 2760, refunded_minor: 0 });
  const tables = await dump(database.url);
  expect(tables.orders?.filter((row) => row.quote_id === quote.id)).toHaveLength(1);
  expect(tables.attempts?.filter((row) => row.quote_id === quote.id)).toHaveLength(1);
  expect(tables.events?.filter((row) => row.order_id === order.id)).toHaveLength(2);
  const { body } = await ask("/v1/orders", { key });
  expect(body.orders).toHaveLength(1);
}

/** Nothing of what crashes left behind is held or reserved once everything is paid. */
async function expectBalanced() {
  const tables = await dump(database.url);
  expect(tables.stock?.map((row) => row.held)).toEqual([0, 0, 0, 0]);
  expect(tables.refunds).toEqual([]);
  expect(tables.incidents).toEqual([]);
}

it("a purchase is done once, though the service is killed during and after each request", async () => {
  const known = await newKnown();
  const email = newEmail();
  for (const [name, run] of steps) {
    const unanswered = run({ ...known }, email).catch(() => null);
    await crash();
    await unanswered;
    const answer = await run(known, email);
    expect([name, answer.status < 400]).toEqual([name, true]);
  }
  await crash();
  await expectOneOrder(known);
  await expectBalanced();
}, 180_000);
