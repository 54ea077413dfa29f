/** One line a request, by which a purchase can be followed, and refusals are sampled. */
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../src/app/log.ts";
import { TIMES } from "../../src/core/policy.ts";
import { startStripeService } from "../stripe/service.ts";
import { legacy, rpcTool } from "../support/mcp-call.ts";
import { form, orderOf, readyQuote } from "../support/purchase.ts";
import { ADDRESS, payAsBuyer, quoteRequest, register, send } from "../support/shopper.ts";

type Line = Record<string, unknown>;

async function logged() {
  const text: string[] = [];
  const log = createLog("info", { write: (line) => void text.push(line) });
  const service = await startStripeService({}, undefined, { log });
  onTestFinished(() => service.stop());
  /** The lines with this text in them, like grep. */
  const grep = (word: string): Line[] =>
    text.filter((line) => line.includes(word)).map((line) => JSON.parse(line));
  return { service, baseUrl: service.baseUrl, text, grep };
}

const EMAIL = "traced-buyer@example.com";

test("a purchase is followed from a Request-Id to its letter, without a secret or a name", async () => {
  const { service, baseUrl, text, grep } = await logged();
  const key = await register(baseUrl);
  const args = { idempotency_key: "one", ...quoteRequest({ email: EMAIL }) };
  const { headers, body } = legacy("tools/call", { name: "request_quote", arguments: args });
  const asked = await send(baseUrl, "/mcp", { key, headers, body });
  const { id, quote_hash } = asked.body.result.structuredContent;
  const checkout = { idempotency_key: "two", quote_id: id, quote_hash };
  const { structuredContent } = await rpcTool(baseUrl, "create_checkout", checkout, key);
  const { review_url } = structuredContent;
  await payAsBuyer(baseUrl, review_url);
  await orderOf(baseUrl, key, id);
  service.clock.advance(TIMES.undo_ms);
  await service.service.merchant.mail.sendDue({ send: async () => {}, close: () => {} });

  const [first, ...others] = grep(asked.headers.get("request-id")!);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ route: "/mcp", rpc: "tools/call", operation: "request_quote" });
  expect(first).toMatchObject({ quote: id, agent: expect.stringMatching(/^agt_/), status: 200 });
  const about = grep(String(first!.quote));
  expect(about).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ operation: "create_checkout" }),
      expect.objectContaining({ method: "POST", route: "/review/:token", status: 303 }),
    ]),
  );
  const made = about.find(({ msg }) => msg === "an order was made")!;
  const webhook = grep(String(made.request_id)).find(({ route }) => route === "/webhooks/stripe");
  expect(webhook).toMatchObject({ webhook: made.webhook, status: 200 });
  expect(grep(String(made.order)).map(({ msg, letter }) => letter && msg)).toContain(
    "a letter was sent",
  );

  const all = text.join("");
  for (const secret of [key, EMAIL, ADDRESS.line1, review_url.split("/").at(-1)]) {
    expect(all).not.toContain(secret);
  }
});

test("refusals are written once a minute for each kind and caller, and then counted", async () => {
  const { service, baseUrl, grep } = await logged();
  const key = await register(baseUrl);
  const refuse = async (times: number) => {
    for (let i = 0; i < times; i++) await send(baseUrl, "/v1/quotes/qte_none", { key });
    for (let i = 0; i < times; i++) await send(baseUrl, "/webhooks/stripe", { raw: "{}" });
    for (let i = 0; i < times; i++) await send(baseUrl, "/mcp", { key, raw: "{" });
  };
  await refuse(10);
  const refused = grep('"caller"').map(({ code, operation }) => [code, operation]);
  expect(refused).toEqual([
    ["NOT_FOUND", "get_quote"],
    ["BAD_SIGNATURE", undefined],
    [expect.any(String), undefined],
  ]);
  service.clock.advance(60_000);
  await send(baseUrl, "/v1/quotes/qte_none");
  expect(grep('"more"').map(({ code, msg }) => [code, msg])).toEqual([
    ["NOT_FOUND", "and 9 more"],
    ["BAD_SIGNATURE", "and 9 more"],
    [expect.any(String), "and 9 more"],
  ]);
});

test("a refused tool is logged with its code, an unavailable provider as an error", async () => {
  const { service, baseUrl, grep } = await logged();
  const { key, reviewUrl } = await readyQuote(baseUrl);
  await rpcTool(baseUrl, "get_quote", { quote_id: "qte_none" }, key);
  expect(grep("get_quote")).toMatchObject([
    { level: "info", route: "/mcp", status: 200, operation: "get_quote", code: "NOT_FOUND" },
  ]);
  service.faults.api = () => ({ kind: "error", status: 503 });
  await send(baseUrl, reviewUrl, form({}));
  expect(grep('"status":503')).toMatchObject([{ level: "error", route: "/review/:token" }]);
});

test("balancers that ask for health leave no lines", async () => {
  const { baseUrl, text } = await logged();
  for (const path of ["/healthz", "/readyz"]) await send(baseUrl, path);
  expect(text).toEqual([]);
});
