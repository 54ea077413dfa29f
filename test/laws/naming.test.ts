/** What goes over MCP names tools and resources, never HTTP paths, and the other way round (contract §13). */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { ERRORS, type ErrorCode, MerchantError } from "../../src/domain/shared/errors.ts";
import { ENDPOINTS, namedText } from "../../src/domain/shared/next-step.ts";
import { INSTRUCTIONS } from "../../src/mcp/instructions.ts";
import { problemBody } from "../../src/operations/problems.ts";
import { rpc, rpcTool } from "../support/mcp-call.ts";
import { startService, type TestService } from "../support/service.ts";
import { payAsBuyer, quoteRequest, send } from "../support/shopper.ts";
import { sources } from "./reading.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const TOOLS = Object.keys(ENDPOINTS).filter((name) => name.includes("_"));

/** What only HTTP has: paths, methods, headers. The connection's own key is a header over MCP too. */
const HTTP = /\/v1\/|\b(?:GET|POST|DELETE) \/|Idempotency-Key|Finder-Key|Retry-After|\/agent-info/g;
/** What only MCP has. */
const MCP = new RegExp(`\\b(?:${TOOLS.join("|")}|idempotency_key)\\b|coffee://[a-z]`, "g");

const found = (text: string, what: RegExp): string[] =>
  [...text.matchAll(what)].map(([one]) => one);

/** An own name for a resource is not an address. */
const overMcp = (text: string) => found(text.replaceAll("coffee://agent-info", ""), HTTP);
const overHttp = (text: string) => found(text, MCP);

describe("a model over MCP reads of no HTTP", () => {
  it("in what the server says of itself", async () => {
    const methods = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    const lists = await Promise.all(methods.map((method) => rpc(service.baseUrl, method)));
    expect(overMcp(INSTRUCTIONS + JSON.stringify(lists))).toEqual([]);
  });

  it("in what is public", async () => {
    const reads = ["coffee://catalog", "coffee://policy", "coffee://agent-info"].map((uri) =>
      rpc(service.baseUrl, "resources/read", { uri }),
    );
    const calls = [
      rpcTool(service.baseUrl, "get_catalog", {}),
      rpcTool(service.baseUrl, "get_policy", {}),
      rpcTool(service.baseUrl, "ask", { q: "How do I buy, and is there a discount?" }),
    ];
    const answers = JSON.stringify(await Promise.all([...reads, ...calls]));
    expect(answers).not.toContain('\\"isError\\"');
    expect(overMcp(answers)).toEqual([]);
  });

  it("in a whole purchase, refusals included", async () => {
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
    const locked = quoteRequest({ product_id: "panama-geisha" });
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
    expect(overMcp(JSON.stringify(said))).toEqual([]);
  });
});

describe("a program over HTTP reads of no tools", () => {
  test.each(["/openapi.json", "/agent-info", "/llms.txt", "/v1/catalog", "/v1/policy", "/errors"])(
    "in %s",
    async (path) => {
      const { text } = await send(service.baseUrl, path);
      // There tools' names are the ids of the operations, and of the links that lead on to them.
      const ids = /"operationId": ?"\w+"|"\w+":/g;
      expect(overHttp(text.replaceAll(ids, ""))).toEqual([]);
    },
  );

  it("in a purchase, refusals included", async () => {
    const said: string[] = [];
    let key: string | undefined;
    const call = async (path: string, body?: object) => {
      const answer = await send(service.baseUrl, path, { key, ...(body && { body }) });
      said.push(answer.text);
      return answer.body;
    };
    await call("/v1/orders");
    const agent = { name: "Agent", contact_email: "agent@example.com" };
    key = (await call("/v1/agents/register", agent)).api_key;
    await call("/v1/quote-requests", quoteRequest({ quantity: 101 }));
    const quote = await call("/v1/quote-requests", quoteRequest());
    await call(`/v1/quotes/${quote.id}/order`);
    await call(`/v1/quotes/${quote.id}/checkout`, { quote_hash: quote.quote_hash });
    await call("/v1/orders?limit=0");
    expect(overHttp(said.join("\n"))).toEqual([]);
  });
});

test.each(Object.keys(ERRORS) as ErrorCode[])("%s is explained in its reader's words", (code) => {
  const body = (naming: "tools" | "endpoints") =>
    JSON.stringify(
      problemBody(new MerchantError(code, ERRORS[code].help), {
        baseUrl: "http://shop.example",
        requestId: "req_1",
        naming,
      }),
    );
  expect(overMcp(body("tools"))).toEqual([]);
  expect(overHttp(body("endpoints"))).toEqual([]);
});

/** Where an address is made, or where only one interface is spoken of. */
const ONE_DOOR =
  /next-step\.ts$|naming\.ts$|quick-checkout\.ts$|guide\.ts$|agent-info\.ts$|agents\.ts$|field-aliases\.ts$|misplaced-ids\.ts$/;

test("texts name tools and headers in braces, so that each interface says its own", () => {
  const plain = sources("src/domain", "src/merchant", "src/ask", "src/operations", "tools")
    .filter(({ path }) => !ONE_DOOR.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(["`])((?:(?!\1).)* (?:(?!\1).)*)\1/g)]
        .map(([, , words]) => words!.replaceAll(/\{\w+\}/g, ""))
        .filter((words) => overMcp(words).length + overHttp(words).length > 0)
        .map((words) => `${path}: ${words}`),
    );
  expect(plain).toEqual([]);
});

test("words that are not ours stay as they are", () => {
  expect(namedText("{ask} {quote_id} {nothing}", "endpoints")).toBe(
    "GET /v1/ask {quote_id} {nothing}",
  );
});
