/** Nothing grows for ever (contract §14): what goes when, and what never does. */

import { expect, onTestFinished, test, vi } from "vitest";
import { insert, type Write } from "../../src/core/command.ts";
import { RETENTION_DAYS } from "../../src/core/policy.ts";
import { write } from "../db/rules.ts";
import { countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
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
import { describeEveryStore } from "../support/stores.ts";

const DAY_MS = 86_400_000;

/** Long enough ago that nothing done in these tests is in the database's future. */
const longAgo = () => testClock(Date.now() - 1000 * DAY_MS);

describeEveryStore("with time", (open) => {
  test("an unpaid quote is removed 30 days after its end with its attempts, a paid one never", async () => {
    const { store } = await open();
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

    clock.advance((7 + RETENTION_DAYS.unpaid_quotes) * DAY_MS);
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
    const { store } = await open();
    const shop = await openShop(store, longAgo());
    const { merchant, clock } = shop;
    const register = async () =>
      (await merchant.agents.register({ name: "A", contact_email: "a@example.com" }, intent())).body
        .api_key;
    const [unused, used] = [await register(), await register()];
    await merchant.agents.authenticate(used);
    clock.advance(RETENTION_DAYS.unused_keys * DAY_MS - 1);
    expect(await merchant.retention.sweep()).toMatchObject({ unused_keys: 0 });
    clock.advance(1);
    expect(await merchant.retention.sweep()).toMatchObject({ unused_keys: 1 });
    await expect(merchant.agents.authenticate(unused)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(await merchant.agents.authenticate(used)).toMatchObject({ name: "A" });
  });

  test("a key with a typing error is refused without a query", async () => {
    const { store } = await open();
    const { merchant } = await openShop(store);
    const query = vi.spyOn(store.queries, "agentByKeyHash");
    onTestFinished(() => query.mockRestore());
    const typo = `cma_${"a".repeat(49)}`;
    await expect(merchant.agents.authenticate(typo)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(query).not.toHaveBeenCalled();
  });

  test("many quotes are removed in steps, past paid ones in between", async () => {
    const { store } = await open();
    const shop = await openShop(store, longAgo());
    const created_at = shop.clock.now();
    await store.run(
      write,
      Array.from({ length: 1200 }, (_, i) => {
        const id = `q${String(i).padStart(5, "0")}`;
        return [
          insert("quotes", {
            id,
            agent_id: null,
            cart: null,
            quote_hash: id,
            terms: "{}",
            buyer_email: "a@example.com",
            customer: "a@example.com",
            total_minor: 100,
            created_at,
            expires_at: created_at,
          }),
          insert("quote_states", {
            quote_id: id,
            status: "OPEN",
            reason: null,
            order_id: null,
            paying_until: null,
            short: null,
            updated_at: created_at,
          }),
        ];
      }).flat(),
    );
    await paidOrder(shop, { agentId: null });
    shop.clock.advance(100 * DAY_MS);
    expect(await shop.merchant.retention.sweep()).toMatchObject({ unpaid_quotes: 1200 });
    expect(await countRows(store, "quotes")).toBe(1);
    expect(await countRows(store, "quote_states")).toBe(1);
  });

  test("sandbox responses and unpaid pages are removed after a day, unsent letters after 90", async () => {
    const { store } = await open();
    const { merchant, clock } = await openShop(store, longAgo());
    const now = clock.now();
    const kept = ["session_live", "session", "webhook"];
    const gone = ["idempotency", "delivery_done", "delivery_given_up", "session_unpaid"];
    const rows = [...kept, ...gone].map((kind) =>
      insert("sandbox", { id: kind, kind, body: "{}", version: 1, created_at: now }),
    );
    // Without a mail server, nobody reads the letter of this entry.
    await store.run(write, [...rows, insert("waitlist", place("waits", "WAITING", now))]);
    clock.advance(DAY_MS - 1000);
    expect(await merchant.retention.sweep()).toMatchObject({ sandbox_answers: 0 });
    clock.advance(2000);
    expect(await merchant.retention.sweep()).toMatchObject({ sandbox_answers: 4, sent_letters: 0 });
    expect(await countRows(store, "outbox")).toBe(1);
    clock.advance(89 * DAY_MS);
    expect(await merchant.retention.sweep()).toMatchObject({ sent_letters: 1 });
  });

  test("retries, webhooks, keys, ended places and emails that never paid are removed", async () => {
    const { store } = await open();
    const shop = await openShop(store, longAgo());
    const { merchant, clock } = shop;
    const agentId = await newAgent(shop);
    const now = clock.now();
    const rows = [
      insert("webhooks", webhook("settled", now, null)),
      insert("webhooks", webhook("waiting", now, now)),
      insert("finder_keys", {
        key_hash: "k",
        agent_id: agentId,
        created_at: now,
        expires_at: now,
        revoked_at: null,
      }),
      insert("finder_credits", {
        agent_id: agentId,
        fingerprint: "f",
        credit: "{}",
        created_at: now,
      }),
      insert("waitlist", place("left", "LEFT", now)),
      insert("waitlist", place("waits", "WAITING", now)),
      insert("customers", empty("gone@example.com", 0)),
      insert("customers", empty("buyer@example.com", 1)),
      insert("sandbox", { id: "s", kind: "session", body: "{}", version: 1, created_at: now }),
      insert("sandbox", { id: "l", kind: "session_live", body: "{}", version: 1, created_at: now }),
    ];
    await store.run(write, rows);
    await merchant.messages.feedback({ message: "Good." }, agentId, intent());
    clock.advance(731 * DAY_MS);
    expect(await merchant.retention.sweep()).toMatchObject({
      // One for the registration, one for the message.
      idempotency: 2,
      settled_webhooks: 1,
      finder_keys: 1,
      finder_progress: 1,
      ended_waitlist_entries: 1,
      empty_customers: 1,
      feedback: 1,
      sandbox_sessions: 1,
    });
    const left = ["webhooks", "waitlist", "customers", "sandbox"] as const;
    for (const table of left) expect([table, await countRows(store, table)]).toEqual([table, 1]);
    expect(await merchant.retention.sweep()).toMatchObject({ idempotency: 0, settled_webhooks: 0 });
  });
});

const task = (kind: "LEAD" | "FEEDBACK" | "INCIDENT") => (created_at: number) =>
  insert("desk_tasks", {
    ...{ id: kind, kind, subject: kind, created_at, handled_at: null, handled_by: null },
  });

describeEveryStore("at its time, and not before", (open) => {
  test.each<[string, number, (at: number) => Write]>([
    [
      "leads",
      730,
      (created_at) =>
        insert("leads", {
          ...{ id: "lead", agent_id: "agt_1", email: "a@example.com", purpose: "A café" },
          ...{ quantity: null, organization: null, created_at },
        }),
    ],
    [
      "feedback",
      730,
      (created_at) =>
        insert("feedback", {
          id: "f",
          agent_id: "agt_1",
          order_id: null,
          message: "Hi",
          created_at,
        }),
    ],
    ["message_tasks", 730, task("LEAD")],
    ["message_tasks", 730, task("FEEDBACK")],
    [
      "rate_limits",
      1,
      (now) =>
        insert("rate_limits", { name: "quotes", subject: "s", used: 1, ends_at: now + DAY_MS }),
    ],
  ])("%s are removed after %i days: %#", async (kind, days, row) => {
    const { store } = await open();
    const { merchant, clock } = await openShop(store, longAgo());
    await store.run(write, [row(clock.now())]);
    clock.advance(days * DAY_MS - 1);
    expect(await merchant.retention.sweep()).toMatchObject({ [kind]: 0 });
    clock.advance(2);
    expect(await merchant.retention.sweep()).toMatchObject({ [kind]: 1 });
  });

  test("never: the task of an incident", async () => {
    const { store } = await open();
    const { merchant, clock } = await openShop(store, longAgo());
    await store.run(write, [task("INCIDENT")(clock.now())]);
    clock.advance(900 * DAY_MS);
    await merchant.retention.sweep();
    expect(await countRows(store, "desk_tasks")).toBe(1);
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
