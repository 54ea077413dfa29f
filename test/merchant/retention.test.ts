/** Nothing grows for ever (contract §14): what goes when, and what never does. */

import { describe, expect, test } from "vitest";
import { insert, type Write } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { quote, quoteState } from "../support/rows.ts";
import { testClock } from "../support/service.ts";
import {
  intent,
  newAgent,
  openShop,
  paidOrder,
  quoteFor,
  settleAs,
  startPaying,
} from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

const DAY_MS = 86_400_000;

/** Long enough ago that nothing done in these tests is in the database's future. */
const longAgo = () => testClock(Date.now() - 1000 * DAY_MS);

describe("with time", () => {
  test("an unpaid quote is removed 30 days after its end with its attempts, a paid one never", async () => {
    const { store } = await openUsual();
    const shop = await openShop(store, longAgo());
    const { merchant, clock } = shop;
    const agentId = await newAgent(shop);
    await paidOrder(shop, { agentId, email: "paid@example.com" });
    const unpaid = await quoteFor(shop, { agentId, email: "never@example.com" });
    const begun = await startPaying(shop, unpaid.id);
    await settleAs(shop, begun, "expired");
    const rows = async () => [
      await countRows(store, "quotes"),
      await countRows(store, "quote_states"),
      await countRows(store, "attempts"),
    ];

    clock.advance((7 + 30) * DAY_MS);
    await merchant.retention.sweep();
    expect(await rows()).toEqual([2, 2, 2]);
    clock.advance(DAY_MS);
    expect(await merchant.retention.sweep()).toMatchObject({ unpaid_quotes: 1 });
    expect(await rows()).toEqual([1, 1, 1]);
    await expect(merchant.quotes.get(unpaid.id, agentId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    clock.advance(900 * DAY_MS);
    await merchant.retention.sweep();
    expect(await rows()).toEqual([1, 1, 1]);
    expect(await countRows(store, "orders")).toBe(1);
  });

  test("an unused key is removed after seven days, a used one stays", async () => {
    const { store } = await openUsual();
    const shop = await openShop(store, longAgo());
    const { merchant, clock } = shop;
    const register = async () =>
      (await merchant.agents.register({ name: "A", contact_email: "a@example.com" }, intent())).body
        .api_key;
    const [unused, used] = [await register(), await register()];
    await merchant.agents.authenticate(used);
    clock.advance(7 * DAY_MS - 1);
    expect(await merchant.retention.sweep()).toMatchObject({ unused_keys: 0 });
    clock.advance(1);
    expect(await merchant.retention.sweep()).toMatchObject({ unused_keys: 1 });
    await expect(merchant.agents.authenticate(unused)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(await merchant.agents.authenticate(used)).toMatchObject({ name: "A" });
  });

  test("many quotes are removed in steps, past paid ones in between", async () => {
    const { store } = await openUsual();
    const shop = await openShop(store, longAgo());
    const created_at = shop.clock.now();
    await store.run(
      write,
      Array.from({ length: 1200 }, (_, i) => {
        const id = `q${String(i).padStart(5, "0")}`;
        return [
          insert("quotes", quote({ id, created_at, expires_at: created_at })),
          insert("quote_states", quoteState({ quote_id: id, status: "OPEN" })),
        ];
      }).flat(),
    );
    await paidOrder(shop, { agentId: null });
    shop.clock.advance(100 * DAY_MS);
    expect(await shop.merchant.retention.sweep()).toMatchObject({ unpaid_quotes: 1200 });
    expect(await countRows(store, "quotes")).toBe(1);
    expect(await countRows(store, "quote_states")).toBe(1);
  });
});

const task = (kind: "LEAD" | "FEEDBACK" | "INCIDENT", created_at: number) =>
  insert("desk_tasks", {
    ...{ id: kind, kind, subject: kind, created_at, handled_at: null, handled_by: null },
  });

const sandbox = (kind: string, created_at: number) =>
  insert("sandbox", { id: kind, kind, body: "{}", version: 1, created_at });

const note = { agent_id: "agt_1", order_id: null, message: "Hi" };
const lead = {
  ...{ agent_id: "agt_1", email: "a@example.com", purpose: "A café" },
  ...{ quantity: null, organization: null },
};
const checkout = {
  ...{ name: null, cart: "{}", agent_id: null },
  ...{ via: "SHOP" as const, version: 1, created_at: 0 },
};

describe("removed at its time and not before, with a row that stays", () => {
  test.each<
    [kind: string, days: number, gone: (at: number) => Write, stays?: (at: number) => Write]
  >([
    [
      "idempotency",
      0,
      (expires_at) =>
        insert("idempotency", {
          ...{ scope: "s", key_hash: "k", request_hash: "r", reply: "{}", expires_at },
        }),
    ],
    [
      "checkouts",
      1,
      (expires_at) => insert("checkouts", { ...checkout, id: "chk_1", page: "1", expires_at }),
      (expires_at) =>
        insert("checkouts", { ...checkout, id: "chk_2", page: "2", expires_at, order_id: "ord_1" }),
    ],
    [
      "rate_limits",
      0,
      (ends_at) => insert("rate_limits", { name: "quotes", subject: "s", used: 1, ends_at }),
    ],
    [
      "finder_keys",
      90,
      (expires_at) =>
        insert("finder_keys", {
          ...{ key_hash: "k", agent_id: "agt_1", created_at: 0, expires_at, revoked_at: null },
        }),
    ],
    [
      "finder_progress",
      90,
      (created_at) =>
        insert("finder_credits", { agent_id: "agt_1", fingerprint: "f", credit: "{}", created_at }),
    ],
    [
      "settled_webhooks",
      30,
      (at) => insert("webhooks", webhook("settled", at, null)),
      (at) => insert("webhooks", webhook("waiting", at, at)),
    ],
    [
      "sent_letters",
      90,
      (created_at) =>
        insert("outbox", {
          ...{ id: "RECEIPT_1", kind: "RECEIPT", order_id: "ord_1", subject: null, data: "{}" },
          ...{ created_at, try_at: created_at, tries: 0, sent_at: null, error: null },
        }),
    ],
    [
      "ended_waitlist_entries",
      180,
      (at) => insert("waitlist", place("left", "LEFT", at)),
      (at) => insert("waitlist", place("waits", "WAITING", at)),
    ],
    ["feedback", 730, (created_at) => insert("feedback", { ...note, id: "f", created_at })],
    ["leads", 730, (created_at) => insert("leads", { ...lead, id: "lead", created_at })],
    ["message_tasks", 730, (at) => task("LEAD", at), (at) => task("INCIDENT", at)],
    ["message_tasks", 730, (at) => task("FEEDBACK", at)],
    [
      "sandbox_answers",
      1,
      (at) => sandbox("session_unpaid", at),
      (at) => sandbox("session_live", at),
    ],
    ["sandbox_answers", 1, (at) => sandbox("idempotency", at), (at) => sandbox("webhook", at)],
    ["sandbox_answers", 1, (at) => sandbox("delivery_given_up", at)],
    ["sandbox_sessions", 180, (at) => sandbox("session", at), (at) => sandbox("session_live", at)],
  ])("%s after %i days: %#", async (kind, days, gone, stays) => {
    const { store } = await openUsual();
    const { merchant, clock } = await openShop(store, longAgo());
    const row = gone(clock.now() + 1);
    await store.run(write, [row, ...(stays ? [stays(clock.now() + 1)] : [])]);
    clock.advance(days * DAY_MS);
    expect(await merchant.retention.sweep()).toMatchObject({ [kind]: 0 });
    clock.advance(2);
    expect(await merchant.retention.sweep()).toMatchObject({ [kind]: 1 });
    clock.advance(900 * DAY_MS);
    await merchant.retention.sweep();
    if (kind === "ended_waitlist_entries" && stays) return;
    expect(await countRows(store, row.table)).toBe(stays ? 1 : 0);
  });

  test("at once: emails that began to pay and never paid", async () => {
    const { store } = await openUsual();
    const { merchant } = await openShop(store, longAgo());
    const customers = [empty("gone@example.com", 0), empty("buyer@example.com", 1)];
    await store.run(
      write,
      customers.map((row) => insert("customers", row)),
    );
    expect(await merchant.retention.sweep()).toMatchObject({ empty_customers: 1 });
    expect(await countRows(store, "customers")).toBe(1);
  });
});

const webhook = (id: string, at: number, try_at: number | null) => ({
  id,
  type: "t",
  api_version: null,
  livemode: 0,
  session_id: null,
  payment_ref: null,
  received_at: at,
  settled_at: try_at === null ? at : null,
  tries: 0,
  try_at,
  error: null,
});

const place = (id: string, status: "LEFT" | "WAITING", created_at: number) => ({
  id,
  agent_id: "agt",
  product_id: WAITLISTED,
  quantity: 1,
  buyer_email: `${id}@example.com`,
  customer: `${id}@example.com`,
  status,
  created_at,
  offer_expires_at: null,
  attempt_id: null,
});

const empty = (email: string, paid_orders: number) => ({
  email,
  paid_orders,
  courtesy: null,
  courtesy_attempt: null,
});
