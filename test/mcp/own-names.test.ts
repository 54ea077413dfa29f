/** Messages over MCP name tools, resources and arguments; messages over HTTP name paths and headers (contract §0). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ENDPOINTS } from "../../src/core/next-step.ts";
import { EXCLUSIVE } from "../support/catalog.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { startService, type TestService } from "../support/service.ts";
import { payAsBuyer, quoteRequest, send } from "../support/shopper.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const TOOLS = Object.keys(ENDPOINTS).filter((name) => name.includes("_"));

const ARGUMENTS = ["idempotency_key", "finder_key"];

const HTTP = /\/v1\/|\b(?:GET|POST|DELETE) \/|\/agent-info|(?:Idempotency|Finder)-Key/g;
const MCP = new RegExp(`\\b(?:${[...TOOLS, ...ARGUMENTS].join("|")})\\b|coffee://[a-z]`, "g");

const found = (text: string, what: RegExp): string[] =>
  [...text.matchAll(what)].map(([one]) => one);

it("a purchase over MCP, refusals included, names no HTTP path", async () => {
  const said: unknown[] = [];
  let api_key: string | undefined;
  const call = async (name: string, args: object) => {
    const result = await rpcTool(service.baseUrl, name, { ...args, ...(api_key && { api_key }) });
    said.push(result);
    return result.structuredContent;
  };
  await call("list_orders", {});
  const agent = { name: "Agent", contact_email: "agent@example.com" };
  await call("register_agent", agent);
  const registered = await call("register_agent", { ...agent, idempotency_key: "a" });
  await call("register_agent", { ...agent, name: "Other", idempotency_key: "a" });
  api_key = registered.api_key;
  await call("request_quote", { ...quoteRequest({ quantity: 101 }), idempotency_key: "b" });
  const locked = quoteRequest({ product_id: EXCLUSIVE });
  await call("request_quote", { ...locked, idempotency_key: "b" });
  const quote = await call("request_quote", { ...quoteRequest(), idempotency_key: "b" });
  const { id: quote_id, quote_hash } = quote;
  await call("get_quote_order", { quote_id });
  const checkout = await call("create_checkout", { quote_id, quote_hash, idempotency_key: "c" });
  await payAsBuyer(service.baseUrl, checkout.review_url);
  const order = await call("get_quote_order", { quote_id, wait: 25 });
  await call("list_order_events", { order_id: order.id });
  const wish = { order_id: order.id, reason_code: "OTHER", idempotency_key: "d" };
  await call("request_cancellation", wish);
  await call("send_feedback", { message: "Lovely.", idempotency_key: "e" });
  expect(JSON.stringify(said)).toContain("GEISHA_LOCKED");
  expect(found(JSON.stringify(said), HTTP)).toEqual([]);
  for (const name of ARGUMENTS) {
    expect(JSON.stringify(said)).toContain(`as the argument ${name}`);
  }
});

it("a purchase over HTTP, refusals included, names no tool", async () => {
  const said: string[] = [];
  let key: string | undefined;
  const call = async (path: string, body?: object) => {
    const answer = await send(service.baseUrl, path, { key, ...(body && { body }) });
    said.push(answer.text);
    return answer.body;
  };
  await call("/v1/orders");
  await call("/agent-info");
  const agent = { name: "Agent", contact_email: "agent@example.com" };
  await send(service.baseUrl, "/v1/agents/register", { body: agent, idempotencyKey: null }).then(
    ({ text }) => said.push(text),
  );
  key = (await call("/v1/agents/register", agent)).api_key;
  await call("/v1/quote-requests", quoteRequest({ quantity: 101 }));
  const locked = await call("/v1/quote-requests", quoteRequest({ product_id: EXCLUSIVE }));
  expect(locked.code).toBe("GEISHA_LOCKED");
  const quote = await call("/v1/quote-requests", quoteRequest());
  await call(`/v1/quotes/${quote.id}/order`);
  await call(`/v1/quotes/${quote.id}/checkout`, { quote_hash: quote.quote_hash });
  await call("/v1/orders?limit=0");
  expect(found(said.join("\n"), MCP)).toEqual([]);
  for (const name of ["Idempotency-Key", "Finder-Key"]) {
    expect(said.join("\n")).toContain(`as the header ${name}`);
  }
});
