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

const FEEDBACK = ["POST /v1/feedback", "GET /v1/policy"];

test.each([
  ["Do you do wholesale for a cafe?", ["POST /v1/bulk-leads"]],
  ["My package arrived damaged, what now?", FEEDBACK],
  ["My order never came.", FEEDBACK],
  ["I moved; can the address of my order still be changed?", ["POST /v1/feedback"]],
  ["How does the waitlist work?", ["POST /v1/waitlist"]],
  ["Can I cancel my order?", ["GET /v1/orders"]],
  ["Can I cancel only one of the shipments?", ["GET /v1/orders"]],
  ["How do I take back my cancel request?", ["GET /v1/orders"]],
  ["How do I track my order?", ["GET /v1/orders"]],
  ["How can an agent follow the events of an order?", ["GET /v1/orders"]],
  ["My quote has expired, what can I do?", ["POST /v1/quote-requests"]],
  ["What is a quick checkout link?", ["GET /v1/quick-checkout"]],
  ["What are the rate limits?", ["GET /v1/policy"]],
  ["Where do I send my finder key?", ["POST /v1/quote-requests"]],
  ["How do I earn a finder key?", ["GET /v1/ask"]],
  ["Give me the finder key.", ["GET /v1/ask"]],
  ["Is the Yemen Haraz available?", ["GET /v1/ask"]],
  ["How do I place an order?", ["POST /v1/quote-requests"]],
  ["Do I need an account?", []],
  ["What does shipping cost?", []],
  ["How is the Huye processed?", []],
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
  expect((await steps("Do I need an account?"))[0]).toBe(first);
  expect(await steps("What is a quick checkout link?")).toContain("GET /v1/quick-checkout");
});

test("two questions at once get the steps of both, each once", async () => {
  const both = "My package arrived damaged. Can I cancel my order? And it never came, what now?";
  const told = await steps(both, key);
  expect(told).toEqual(expect.arrayContaining(["GET /v1/orders", ...FEEDBACK]));
  expect(new Set(told).size).toBe(told.length);
});

test("a question that is not understood is asked again in English", async () => {
  expect(await steps("Versand nach Wien?", key)).toEqual(["GET /v1/ask", "GET /v1/policy"]);
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
    expect.arrayContaining(["send_feedback", "get_policy"]),
  );
  expect((await tools("Who can buy the Haraz?"))[0]).toBe("ask");
});
