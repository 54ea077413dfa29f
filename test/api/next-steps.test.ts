/** Next steps that an agent meets before it knows of anything; follow-next.test.ts follows the others. */
import { afterAll, expect, test } from "vitest";
import { newKey } from "../../src/core/ids.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { startService } from "../support/service.ts";
import { type Answer, quoteRequest, register, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
const key = await register(service.baseUrl);

const actions = ({ body }: Answer): string[] =>
  body.next.map(({ action }: { action: string }) => action);

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
  expect(wrong.body.detail).toContain("Authorization: Bearer <API_KEY>");
  expect(registered.body.warning).toContain("Authorization: Bearer <API_KEY>");
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
