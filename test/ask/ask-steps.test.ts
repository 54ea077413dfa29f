/** Next steps of `ask` (contract §0, §9). */
import { afterAll, expect, test } from "vitest";
import { WAITLISTED } from "../support/catalog.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
const key = await register(service.baseUrl);

async function steps(question: string, as?: string): Promise<string[]> {
  const { body } = await send(service.baseUrl, `/v1/ask?q=${encodeURIComponent(question)}`, {
    key: as,
  });
  return body.next.map(({ action }: { action: string }) => action);
}

const ORDER = ["GET /v1/orders", "POST /v1/feedback", "GET /v1/link-orders"];

/** Questions about an order that was made already. */
const ABOUT_AN_ORDER = [
  "Where is my order?",
  "I moved; can the address of my order still be changed?",
  "Can I cancel my order?",
  "how do i cancel",
  "Can I cancel only one of the shipments?",
  "How do I take back my cancel request?",
  "How do I track my order?",
  "How can an agent follow the events of an order?",
  "I lost the checkout link. How do I find my order?",
  "I lost the link",
  "I was charged twice",
  "order exactly the same again",
];

test.each(ABOUT_AN_ORDER)(
  "%s leads to that order, to no new one, and to no key",
  async (question) => {
    expect(await steps(question, key)).toEqual(ORDER);
    expect(await steps(question)).toEqual(["GET /v1/link-orders"]);
  },
);

test.each([
  "My package arrived damaged, what now?",
  "My order never came.",
  "The box was crushed and a bag is torn open",
  "It says delivered but it isn't here",
  "I typed the wrong apartment number",
])("%s leads to the merchant, who needs no key, and to the order", async (question) => {
  expect(await steps(question, key)).toEqual(ORDER);
  expect(await steps(question)).toEqual(["tell the buyer", "GET /v1/link-orders"]);
});

test.each([
  ["How do I get an API key for my agent?", ["POST /v1/agents/register", "GET /v1/catalog"]],
  ["i need a new api kee", ["POST /v1/agents/register", "GET /v1/catalog"]],
  ["Take me off the waitlist please", []],
  ["How much do I save with $1,100 worth of coffee?", []],
  ["Who are you, where is the company located?", []],
  ["Can I buy without an account and without an agent?", ["tell the buyer"]],
  ["I lost the link. How do I get back to the checkout?", ["GET /v1/quick-checkout"]],
  ["What's your phone number?", ["tell the buyer"]],
  ["How can I send feedback about my coffee?", ["tell the buyer"]],
])("without a key, %s", async (question, told) => {
  expect(await steps(question)).toEqual(told);
});

test.each([
  ["Do you do wholesale for a cafe?", ["POST /v1/bulk-leads"]],
  ["How does the waitlist work?", ["POST /v1/waitlist"]],
  ["My quote has expired, what can I do?", ["POST /v1/quote-requests"]],
  ["What is a quick checkout link?", ["GET /v1/quick-checkout", "POST /v1/quote-requests"]],
  ["How do I earn a finder key?", ["GET /v1/ask", "POST /v1/quote-requests"]],
  ["Give me the finder key.", ["GET /v1/ask"]],
  ["Is the Yemen Haraz available?", ["GET /v1/ask"]],
  ["How do I place an order?", ["POST /v1/quote-requests"]],
  ["What does shipping cost?", []],
  ["How is the Huye processed?", ["GET /v1/policy"]],
])("with a key, %s", async (question, told) => {
  expect(await steps(question, key)).toEqual(expect.arrayContaining(told));
});

test("without a key, registration comes first if the step needs one", async () => {
  const first = "POST /v1/agents/register";
  for (const [question, then] of [
    ["How do I place an order?", "POST /v1/quote-requests"],
    ["How do I earn a finder key?", "GET /v1/ask"],
    ["Do you do wholesale for a cafe?", "POST /v1/bulk-leads"],
  ] as const) {
    const [registering, ...rest] = await steps(question);
    expect(registering).toBe(first);
    expect(rest).toContain(then);
  }
  expect(await steps("How is the Nyeri processed?")).toEqual(["GET /v1/policy"]);
});

test("each step comes once", async () => {
  const told = await steps("Is the Haraz exclusive, and how do I unlock it?", key);
  expect(told).toContain("GET /v1/ask");
  expect(new Set(told).size).toBe(told.length);
});

test("a sold-out bean leads to its waitlist, one in stock does not", async () => {
  const { stock } = service.service.merchant.admin("cli");
  expect(await steps("Is the Rwanda Huye in stock?", key)).not.toContain("POST /v1/waitlist");
  await stock.set({ product_id: WAITLISTED, on_hand: 0 });
  expect((await steps("Is the Rwanda Huye in stock?", key))[0]).toBe("POST /v1/waitlist");
});

test("over MCP steps are tools, and the exclusive bean leads to ask", async () => {
  const tools = async (q: string) => {
    const { structuredContent } = await rpcTool(service.baseUrl, "ask", { q }, key);
    return structuredContent.next.map(({ action }: { action: string }) => action);
  };
  expect(await tools("My package arrived damaged, what now?")).toEqual(
    expect.arrayContaining(["list_orders", "send_feedback"]),
  );
  expect((await tools("Who can buy the Haraz?"))[0]).toBe("ask");
});
