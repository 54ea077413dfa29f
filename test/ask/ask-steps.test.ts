/** Next steps of `ask` (contract §0, §9). */
import { afterAll, expect, test } from "vitest";
import { WAITLISTED } from "../support/catalog.ts";
import { legacy } from "../support/mcp-call.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
const { baseUrl } = service;
const key = await register(baseUrl);

interface Step {
  action: string;
  why: string;
}

const overHttp = async (q: string, as?: string): Promise<Step[]> =>
  (await send(baseUrl, `/v1/ask?q=${encodeURIComponent(q)}`, { key: as })).body.next;

async function overMcp(path: string, q: string, as?: string): Promise<Step[]> {
  const sent = legacy("tools/call", { name: "ask", arguments: { q } });
  const { body } = await send(baseUrl, path, { ...sent, key: as });
  return body.result.structuredContent.next;
}

const actions = (steps: readonly Step[]) => steps.map(({ action }) => action);
const steps = async (q: string, as?: string) => actions(await overHttp(q, as));

/** Questions about a purchase, a waitlist or the merchant, in any spelling and language. */
const ABOUT_ANYTHING = [
  "Where is my order?",
  "¿Dónde está mi pedido?",
  "I moved; can the address of my order still be changed?",
  "quiero cancelar mi pedido",
  "I lost the link. How do I get back to the checkout?",
  "Where is the Nyeri that I ordered?",
  "It says delivered but it isn't here",
  "Take me off the waitlist please",
  "What's your phone number?",
];

test.each(ABOUT_ANYTHING)(
  "%s leads to the order, its page and the merchant, and to no new purchase or key",
  async (question) => {
    for (const told of [
      await overHttp(question),
      await overHttp(question, key),
      await overMcp("/mcp", question),
      await overMcp("/mcp/shop", question),
    ]) {
      expect(actions(told).join()).toMatch(/get_link_order|GET \/v1\/link-orders/);
      expect(actions(told).join()).not.toMatch(/register|quick|quote/);
      const { why } = told.find(({ action }) => action === "tell the buyer")!;
      for (const page of ["find-order", "contact"]) expect(why).toContain(`${baseUrl}/${page}`);
      expect(why).toContain("waitlist");
    }
  },
);

test.each(ABOUT_ANYTHING)("without a key, each step of %s can be taken", async (question) => {
  const canTake = /^GET \/v1\/(link-orders|catalog|policy)$|^tell the buyer$/;
  for (const action of await steps(question)) expect(action).toMatch(canTake);
});

test.each([
  ["My order never came.", ["GET /v1/orders", "POST /v1/feedback", "GET /v1/link-orders"]],
  ["Do you do wholesale for a cafe?", ["POST /v1/bulk-leads"]],
  ["How does the waitlist work?", ["POST /v1/waitlist"]],
  ["How do I place an order?", ["GET /v1/catalog"]],
  ["How do I earn a finder key for the Haraz?", ["GET /v1/ask"]],
  ["Give me the finder key.", ["GET /v1/ask"]],
  ["Is the Yemen Haraz available?", ["GET /v1/ask"]],
  ["How is the Huye processed?", ["GET /v1/policy"]],
])("with a key, %s", async (question, told) => {
  expect(await steps(question, key)).toEqual(expect.arrayContaining(told));
});

test("a question about coffee only leads to the policy", async () => {
  expect(await steps("How is the Nyeri processed?")).toEqual(["GET /v1/policy"]);
});

test("each step comes once", async () => {
  const told = await steps("Is the Haraz exclusive, and how do I unlock it?", key);
  expect(told).toContain("GET /v1/ask");
  expect(new Set(told).size).toBe(told.length);
});

test("a sold-out bean leads to its waitlist, with or without a key; one in stock does not", async () => {
  const question = "Is the Rwanda Huye in stock?";
  const { stock } = service.service.merchant.admin("cli");
  expect(await steps(question)).toEqual(["GET /v1/policy"]);
  await stock.set({ product_id: WAITLISTED, on_hand: 0 });
  expect((await steps(question, key))[0]).toBe("POST /v1/waitlist");
  for (const [told] of [await overHttp(question), await overMcp("/mcp/shop", question)])
    expect(told).toMatchObject({
      action: "tell the buyer",
      why: expect.stringContaining(`${baseUrl}/waitlist?bean=${WAITLISTED}`),
    });
});

test("over MCP steps are tools, and the exclusive bean leads to ask", async () => {
  expect(actions(await overMcp("/mcp", "My package arrived damaged, what now?", key))).toEqual(
    expect.arrayContaining(["list_orders", "send_feedback"]),
  );
  expect(actions(await overMcp("/mcp", "Who can buy the Haraz?", key))).toContain("ask");
});
