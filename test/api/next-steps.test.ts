/**
 * contract §0, §11: a next step can be taken as it is told. An endpoint comes with the ids that were asked for,
 * also where the refusal came before anything was read. Every answer of the whole suite is held to it, too: see `send`.
 */
import { afterAll, describe, expect, test } from "vitest";
import { newKey } from "../../src/core/ids.ts";
import { operations } from "../../tools/index.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { startService } from "../support/service.ts";
import {
  type Answer,
  quoteRequest,
  register,
  type Send,
  send,
  templatesIn,
} from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
const key = await register(service.baseUrl);

const actions = ({ body }: Answer): string[] =>
  body.next.map(({ action }: { action: string }) => action);

const JSON_TYPE = { "content-type": "application/json" };
const EARLY: [string, Send][] = [
  ["without a key", {}],
  ["with a key that is none", { key: "cma_none" }],
  ["with nothing wrong but the id", { key: "own" }],
  ["with an answer that is no JSON asked for", { key: "own", headers: { accept: "text/plain" } }],
  ["by a method that there is not", { key: "own", method: "PUT" }],
];
const EARLY_WRITES: [string, Send][] = [
  ["without an idempotency key", { key: "own", idempotencyKey: null }],
  ["with a body that is no JSON", { key: "own", raw: "{", headers: JSON_TYPE }],
  [
    "with a body that is packed",
    { key: "own", raw: "{}", headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
  ],
  ["with a field that is none", { key: "own", body: { wait: 1 } }],
];

const withId = operations.filter(({ http }) => http.path.includes("{"));

describe.each(withId.map(({ name, http, effect }) => ({ name, http, effect })))(
  "$name",
  ({ http: { method, path }, effect }) => {
    const tries = [...EARLY, ...(effect === "write" ? EARLY_WRITES : [])];
    test.each(tries)("refused %s names no template", async (_what, options) => {
      for (const id of ["qte_none", "#1001", "a b", "x".repeat(81)]) {
        const at = path.replace(/\{\w+\}/, encodeURIComponent(id));
        const of = options.key === "own" ? key : options.key;
        const answer = await send(service.baseUrl, at, { method, ...options, key: of });
        const steps = actions(answer);
        expect(answer.status).toBeGreaterThan(399);
        expect(steps.filter((action) => /[{}]|x{81}/.test(action))).toEqual([]);
        const own = steps.filter((action) => action.startsWith(`${method} ${path.split("{")[0]}`));
        for (const action of own) expect(action).toBe(`${method} ${at}`);
      }
    });

    test.each([["wait=x"], ["after=x"], ["odd=1"]])("refused for ?%s", async (query) => {
      const at = path.replace(/\{\w+\}/, "qte_none");
      const answer = await send(service.baseUrl, `${at}?${query}`, { method, key });
      expect([answer.status, actions(answer)]).toEqual([422, [`${method} ${at}`]]);
    });
  },
);

test.each([
  [0, 3],
  [2, 3],
  [2, 21],
  [19, 50],
  [20, 50],
  [40, 50],
])(
  "with %i bags in stock, %i wanted ones name the waitlist only if it takes a buyer",
  async (free, wanted) => {
    const product_id = "rwanda-huye";
    const { stock } = service.service.merchant.admin("cli");
    await stock.set({ product_id, on_hand: free });
    const email = `waits-${free}-${wanted}@example.com`;
    const priced = await send(service.baseUrl, "/v1/quote-requests", {
      key,
      body: quoteRequest({ email, product_id, quantity: wanted }),
    });
    expect(priced.body.status).toBe("WAITLIST_OFFERED");
    const linked = await send(
      service.baseUrl,
      `/v1/quick-checkout?items=${product_id}:${wanted}&format=json`,
    );
    const join = (quantity: number) =>
      send(service.baseUrl, "/v1/waitlist", {
        key,
        body: { product_id, quantity, buyer: { email } },
      });
    const all = await join(wanted);
    const most = wanted > 20 ? await join(20) : all;
    const isTaken = most.status === 201;
    expect(actions(priced).includes("POST /v1/waitlist")).toBe(isTaken);
    expect(JSON.stringify(linked.body.next).includes("/waitlist?bean=")).toBe(isTaken);
    if (all.status !== 201) expect(actions(all).includes("POST /v1/waitlist")).toBe(isTaken);
  },
);

test("an agent that follows next from its first call learns how to send a key", async () => {
  const unknown = { key: newKey("cma_") };
  const [without, wrong, registered] = await Promise.all([
    send(service.baseUrl, "/v1/orders"),
    send(service.baseUrl, "/v1/orders", unknown),
    send(service.baseUrl, "/v1/agents/register", {
      body: { name: "Follower", contact_email: "follower@example.com" },
    }),
  ]);
  expect(without.body.detail).toContain("Authorization: Bearer <API_KEY>");
  expect(wrong.body.next[0].why).toContain("Authorization: Bearer <API_KEY>");
  expect(registered.body.next[0].why).toContain("Authorization: Bearer <API_KEY>");
  const over = await rpcTool(service.baseUrl, "list_orders", {}, undefined);
  expect(over.content[0].text).toContain("api_key argument");
  expect(over.content[0].text).not.toMatch(/Authorization.*Authorization/s);
});

test.each([
  ["POST", "/v1/quotes"],
  ["POST", "/v1/quotes/qte_1/pay"],
  ["GET", "/nowhere"],
])("a guessed path leads to the list of endpoints: %s %s", async (method, at) => {
  const answer = await send(service.baseUrl, at, { method, key });
  expect(answer.status).toBe(404);
  expect(actions(answer)).toEqual(["GET /agent-info"]);
});

test("a page refused to a program keeps its path in next", async () => {
  const headers = { accept: "application/json" };
  const put = await send(service.baseUrl, "/review/some.token", { method: "PUT", headers });
  expect(actions(put)).toEqual(["GET /review/some.token", "POST /review/some.token"]);
  const long = await send(service.baseUrl, `/checkout/${"x".repeat(500)}`, { headers });
  expect(actions(long)).toEqual(["act on this"]);
});

test("over MCP every next step names a tool", async () => {
  for (const { name } of operations) {
    for (const bearer of [undefined, key]) {
      const { content, isError } = await rpcTool(service.baseUrl, name, { odd: 1 }, bearer);
      const actions = [...content[0].text.matchAll(/^Next: (\w+):/gm)].map(([, action]) => action);
      expect(templatesIn(content)).toEqual([]);
      if (isError) expect(actions).not.toEqual([]);
      for (const action of actions) expect(operations.map((op) => op.name)).toContain(action);
    }
  }
});
