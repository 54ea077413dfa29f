/** Every refusal names the next call, and that call succeeds (contract §11). */
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, test } from "vitest";
import { perform } from "../../src/api/perform.ts";
import { MerchantError, type Problem } from "../../src/core/errors.ts";
import { operations } from "../../tools/index.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { rpc as rpcOf } from "../support/mcp-call.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { register } from "../support/shopper.ts";
import { type Arguments, MISTAKES, type Things } from "./mistakes.ts";

const service = await startService();
afterAll(() => service.stop());
const key = await register(service.baseUrl);
await service.service.merchant.admin("cli").stock.set({ product_id: WAITLISTED, on_hand: 0 });

const rpc = (name: string, args: Arguments, bearer: string | undefined = key) =>
  rpcOf(service.baseUrl, "tools/call", { name, arguments: args }, bearer);

const READS = /^(ask|get_|list_|build_)/;

/** Calls a tool, with a new idempotency key for writes. */
const call = (name: string, args: Arguments) =>
  rpc(name, READS.test(name) ? args : { idempotency_key: randomUUID(), ...args });

/** Problems of a refused call as data, because MCP has them only as text. */
async function problemsOf(name: string, args: Arguments): Promise<Problem[]> {
  const { idempotency_key, finder_key, ...input } = args;
  const credentials = {
    apiKey: key,
    finderKey: finder_key,
    idempotencyKey: idempotency_key ?? randomUUID(),
  };
  const op = operations.find((one) => one.name === name)!;
  try {
    await perform(op, { input, credentials, address: "test" }, service.service);
  } catch (error) {
    if (error instanceof MerchantError) return error.problems;
  }
  throw new Error(`${name} was not refused`);
}

async function ownThings(): Promise<Things> {
  const { quote } = await readyQuote(service.baseUrl, {}, key);
  const paid = await purchase(service.baseUrl, {}, key);
  const { structuredContent: entry } = (
    await call("join_waitlist", {
      product_id: WAITLISTED,
      quantity: 1,
      buyer: { email: `${randomUUID()}@example.com` },
    })
  ).result;
  return { quote, paid: paid.quote.id, order: paid.order.id, entry: entry.id };
}

const parts = (pointer: string) => pointer.split("/").slice(1);

function put(args: Arguments, pointer: string, value: unknown): void {
  const path = parts(pointer);
  let here = args;
  for (const [i, part] of path.slice(0, -1).entries()) {
    here[part] ??= /^\d+$/.test(path[i + 1]!) ? [] : {};
    here = here[part];
  }
  here[path.at(-1)!] = value;
}

function take(args: Arguments, pointer: string): unknown {
  const path = parts(pointer);
  const object = path.slice(0, -1).reduce((here, part) => here[part], args);
  const value = object[path.at(-1)!];
  delete object[path.at(-1)!];
  return value;
}

/** Applies the `did_you_mean` of each problem, like a model would. */
function corrected(wrong: Arguments, errors: readonly Problem[]): Arguments {
  const right = structuredClone(wrong);
  const hints = errors.filter(({ did_you_mean }) => did_you_mean !== undefined);
  expect(hints).not.toEqual([]);
  for (const { pointer, code, did_you_mean } of hints) {
    if (code === "UNKNOWN_FIELD") put(right, did_you_mean!, take(right, pointer));
    else put(right, pointer, did_you_mean);
  }
  return right;
}

describe("a model that", () => {
  test.each(MISTAKES.map((one) => [one.tool, one.what, one] as const))(
    "calls %s with %s learns the next call, and that call succeeds",
    async (tool, _what, { wrong, right, at, next = tool }) => {
      // A purchase is slow, so only mistakes that need one make it.
      const things = wrong.length + (right?.length ?? 0) > 0 ? await ownThings() : ({} as Things);
      const first = (await call(tool, wrong(things))).result;
      expect(first.isError).toBe(true);
      const [{ text }] = first.content;
      if (at) expect(text).toMatch(new RegExp(`(- |At )${at}\\b`));
      expect(/^Next: (\w+)/m.exec(text)?.[1]).toBe(next);
      const args = right
        ? right(things)
        : corrected(wrong(things), await problemsOf(tool, wrong(things)));
      const second = (await call(next, args)).result;
      expect(second.isError ? second.content[0].text : "").toBe("");
    },
  );

  it("has no key learns how to get one, and the shown key works", async () => {
    const bare = async (name: string, args: Arguments) =>
      JSON.stringify(await rpcOf(service.baseUrl, "tools/call", { name, arguments: args }));
    const refused = await bare("list_orders", {});
    expect(refused).toContain("Next: register_agent");
    const registered = await call("register_agent", {
      name: "Agent",
      contact_email: "agent@example.com",
    });
    const { api_key } = registered.result.structuredContent;
    for (const shown of [api_key, `Bearer ${api_key}`]) {
      expect(await bare("list_orders", { api_key: shown })).toContain("next_before");
    }
  });

  it("sends its keys with every call still gets results", async () => {
    const all = { api_key: key, idempotency_key: "k", finder_key: "fk_none" };
    for (const name of ["get_catalog", "get_policy", "list_orders"]) {
      const { result } = await rpcOf(service.baseUrl, "tools/call", { name, arguments: all });
      expect([name, result.isError]).toEqual([name, undefined]);
    }
    const twoKeys = (await rpc("list_orders", all)).result;
    expect(twoKeys.isError).toBeUndefined();
  });

  it("sends an argument of its framework with every call still gets results", async () => {
    const { quote, paid, order, entry } = await ownThings();
    const calls: [tool: string, args: Arguments][] = [
      ["get_catalog", {}],
      ["get_policy", {}],
      ["ask", { q: "Which is the darkest?" }],
      ["get_quote", { quote_id: quote.id }],
      ["create_checkout", { quote_id: quote.id, quote_hash: quote.quote_hash }],
      ["get_quote_order", { quote_id: paid }],
      ["list_orders", {}],
      ["get_order", { order_id: order }],
      ["list_order_events", { order_id: order }],
      ["get_waitlist_entry", { waitlist_id: entry }],
      ["leave_waitlist", { waitlist_id: entry }],
      ["send_feedback", { message: "Lovely." }],
    ];
    for (const [name, args] of calls) {
      const { isError, content } = (await call(name, { ...args, toolCallId: "t1" })).result;
      expect([name, isError && content[0].text]).toEqual([name, undefined]);
    }
  });

  it("sends every complete call that an error shows, as it stands, and succeeds", async () => {
    for (const name of ["request_quote", "join_waitlist", "build_quick_checkout_link"]) {
      const [{ text }] = (await rpc(name, {})).result.content;
      const example = JSON.parse(/^A complete call: (.+)$/m.exec(text)![1]!);
      const { isError, content } = (await rpc(name, example)).result;
      expect([name, isError, isError && content[0].text]).toEqual([name, undefined, undefined]);
    }
  });

  it("forgets the idempotency key is told to add one", async () => {
    const args = { message: "Lovely." };
    const first = (await rpc("send_feedback", args)).result;
    expect(first.content[0].text).toContain("idempotency_key");
    expect(first.content[0].text).toContain("Next: send_feedback");
    const second = await rpc("send_feedback", { ...args, idempotency_key: "k1" });
    expect(second.result.isError).toBeUndefined();
  });

  test.each([
    ["createQuote", "request_quote"],
    ["request_qoute", "request_quote"],
    ["list_products", "get_catalog"],
    ["orders", "list_orders"],
    ["feedback", "send_feedback"],
  ])("calls the unknown tool %s is pointed to %s", async (name, meant) => {
    expect((await rpc(name, {})).error.message).toContain(`Did you mean ${meant}?`);
  });

  it("calls an unknown tool gets the names of all tools", async () => {
    const { message } = (await rpc("place_order", {})).error;
    for (const { name } of operations) expect(message).toContain(name);
  });

  test.each([
    ["get_policy", "get_policy"],
    ["tool/call", "register_agent"],
  ])("sends the method %s learns how to call a tool", async (method, tool) => {
    const { error } = await rpcOf(service.baseUrl, method, {}, key);
    expect(error.code).toBe(-32601);
    expect(error.message).toContain(`tools/call with {"name": "${tool}"`);
  });

  it("writes idempotencyKey is understood, unless it sends two keys", async () => {
    const said = { message: "Lovely.", idempotencyKey: "otherwise" };
    expect((await rpc("send_feedback", said)).result.isError).toBeUndefined();
    const { result } = await rpc("send_feedback", { ...said, idempotency_key: "two" });
    expect(result.content[0].text).toContain('"idempotency_key" is not a field here');
  });

  it("sends a secret never gets it back", async () => {
    const secret = `cma_${"aB3dE6gH9".repeat(4)}`;
    const answers = await Promise.all([
      call("get_order", { order_id: `x ${secret}` }),
      call("request_quote", { buyer: { email: secret }, shipments: [] }),
      call("send_feedback", { message: 1, order_id: `my ${secret}` }),
    ]);
    for (const answer of answers) expect(JSON.stringify(answer)).not.toContain(secret.slice(0, 12));
  });
});
