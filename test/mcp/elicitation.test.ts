import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, describe, expect, test } from "vitest";
import { modern } from "../support/mcp-call.ts";
import {
  type ClientKind,
  call,
  overHttp,
  overPipes,
  type Result,
  startStdio,
} from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK);
afterAll(() => served.stop());
const key = await register(served.baseUrl);

const ABLE = { capabilities: { elicitation: { url: {} } } };
const FORMS_ONLY = { capabilities: { elicitation: { form: {} } } };

const WAYS = [
  ["HTTP, 2026-07-28", "pinned", () => overHttp(served.baseUrl, "pinned", { key, ...ABLE })],
  ["stdio, 2026-07-28", "pinned", () => overPipes(startStdio(served.service, key), "pinned", ABLE)],
  ["stdio, 2025", "legacy", () => overPipes(startStdio(served.service, key), "legacy", ABLE)],
  ["stdio, 1.x", "sdk-1.x", () => overPipes(startStdio(served.service, key), "sdk-1.x", ABLE)],
] as const;

describe.each(WAYS)("a client that can open links, over %s", (_, kind, connect) => {
  test.each(["accept", "decline", "cancel"] as const)(
    "is asked once to show the review link; on %s it still gets the whole result",
    async (action) => {
      const client = await connect();
      const asked = answering(client, kind, action);
      const { checkout, quote } = await checkedOut(client);
      expect(asked).toHaveLength(1);
      expect(asked[0]).toMatchObject({
        mode: "url",
        url: checkout.structuredContent.review_url,
        message: expect.stringContaining(quote.terms.pricing.total_display),
      });
      expect(checkout.isError).toBeFalsy();
      expect(checkout._meta?.["coffee/idempotent-replayed"]).toBeUndefined();
      const said = checkout.content.at(-1).text;
      expect(said).toContain(action === "accept" ? "not a payment" : "has not opened");
    },
  );
});

test("a client whose answer fails on a 2025 connection still gets the result", async () => {
  const client = await overPipes(startStdio(served.service, key), "legacy", ABLE);
  client.setRequestHandler("elicitation/create", () => {
    throw new Error("no browser here");
  });
  const { checkout } = await checkedOut(client);
  expect(checkout.structuredContent.review_url).toContain("/review/");
});

test("a client that cannot open links is not asked: forms only, nothing declared, or a stateless 2025 client", async () => {
  const clients = [
    ["pinned", await overHttp(served.baseUrl, "pinned", { key, ...FORMS_ONLY })],
    ["pinned", await overHttp(served.baseUrl, "pinned", { key })],
    ["legacy", await overHttp(served.baseUrl, "legacy", { key, ...ABLE })],
    ["legacy", await overPipes(startStdio(served.service, key), "legacy", FORMS_ONLY)],
  ] as const;
  for (const [, client] of clients) {
    const { checkout } = await checkedOut(client);
    expect(checkout.structuredContent.review_url).toContain("/review/");
    expect(checkout.content.every((one: Result) => !/has not opened/.test(one.text))).toBe(true);
  }
});

test("tools without a review link ask nothing", async () => {
  const client = await overHttp(served.baseUrl, "pinned", { key, ...ABLE });
  const asked = answering(client, "pinned", "accept");
  await call(client, "get_catalog");
  await call(client, "request_quote", { ...quoteRequest(), idempotency_key: randomUUID() });
  expect(asked).toEqual([]);
});

describe("a client's state on the second round", () => {
  test("is refused if it was changed or belongs to another key", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key });
    const args = checkoutOf(await quoted(client));
    const first = await round(args, {}, key);
    expect(first.result.resultType).toBe("input_required");
    const { requestState } = first.result;
    const answered = { inputResponses: { review: { action: "accept" } } };
    const changed = `${requestState.slice(0, -4)}AAAA`;
    const forged = await round(args, { ...answered, requestState: changed }, key);
    expect(forged.error).toMatchObject({ code: -32602 });
    const stranger = await register(served.baseUrl);
    const borrowed = await round(args, { ...answered, requestState }, stranger);
    expect(borrowed.error).toMatchObject({ code: -32602 });
    const honest = await round(args, { ...answered, requestState }, key);
    expect(honest.result.structuredContent.quote_id).toBe(args.quote_id);
  });

  test("ends the offer: state or answers alone are enough", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key });
    const args = checkoutOf(await quoted(client));
    const { requestState } = (await round(args, {}, key)).result;
    for (const back of [{ requestState }, { inputResponses: {} }]) {
      const { result } = await round(args, back, key);
      expect(result.structuredContent.review_url).toContain("/review/");
    }
  });
});

function answering(client: Client, kind: ClientKind, action: string): Result[] {
  const asked: Result[] = [];
  const handler = async ({ params }: Result): Promise<Result> => {
    asked.push(params);
    return { action };
  };
  if (kind === "sdk-1.x") client.setRequestHandler(ElicitRequestSchema as never, handler as never);
  else client.setRequestHandler("elicitation/create", handler);
  return asked;
}

async function quoted(client: Client): Promise<Result> {
  const args = { ...quoteRequest(), idempotency_key: randomUUID() };
  return (await call(client, "request_quote", args)).structuredContent;
}

const checkoutOf = ({ id, quote_hash }: Result) => ({
  quote_id: id,
  quote_hash,
  idempotency_key: randomUUID(),
});

async function checkedOut(client: Client) {
  const quote = await quoted(client);
  const checkout = await call(client, "create_checkout", checkoutOf(quote));
  return { quote, checkout };
}

/** One round of create_checkout on the wire, from a client that can open links. */
async function round(args: object, back: object, apiKey: string): Promise<Result> {
  const params = { name: "create_checkout", arguments: args, ...back };
  const declared = { "io.modelcontextprotocol/clientCapabilities": ABLE.capabilities };
  const message = modern("tools/call", params, declared);
  return (await send(served.baseUrl, "/mcp", { ...message, key: apiKey })).body;
}
