import { describe, expect, it, test } from "vitest";
import { type State, stateOf } from "../../src/core/command.ts";
import { TIMES } from "../../src/core/policy.ts";
import type { AgentRow, AttemptRow, CustomerRow } from "../../src/core/records.ts";
import { endAttempt, loseHold } from "../../src/payments/attempt.ts";
import { recordSession, type StartPayment, startPayment } from "../../src/payments/start.ts";
import {
  attempt,
  books,
  customer,
  MINUTE,
  NOW,
  pressing,
  quote,
  quoteState,
  stock,
  touched,
  written,
} from "../support/rows.ts";

/** No live attempt: ten bags in stock, two of them held by others. */
const idle = (rows: Partial<State> = {}) =>
  stateOf({ quote_states: [quoteState()], stock: [stock()], ...rows });

const agent = (revoked_at: number | null): AgentRow => ({
  id: "agt_1",
  name: "Test agent",
  contact_email: "agent@example.com",
  key_hash: "",
  key_prefix: "",
  created_at: 0,
  revoked_at,
  last_order_at: 0,
  first_used_at: 0,
});

describe("a buyer presses pay", () => {
  it("reserves everything before the provider is called", () => {
    const { reply, writes } = startPayment.decide(pressing({ firstOrder: true }), idle());
    expect(reply).toMatchObject({
      kind: "started",
      attempt: { id: "pay_new", status: "CREATING" },
    });
    expect(written(writes, "attempts")).toMatchObject([
      { expires_at: NOW + 40 * MINUTE, hold_until: NOW + 20 * MINUTE, session_id: null },
    ]);
    expect(written(writes, "stock")).toEqual([{ on_hand: 10, held: 4 }]);
    expect(written(writes, "customers")).toEqual([
      customer({ courtesy: "RESERVED", courtesy_attempt: "pay_new" }),
    ]);
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "CHECKOUT_READY", paying_until: NOW + 20 * MINUTE },
    ]);
  });

  test.each(["CREATING", "OPEN", "PROCESSING"] as const)(
    "again while the first attempt is %s, and that one is resumed",
    (status) => {
      const { reply, writes } = startPayment.decide(
        pressing(),
        books({ attempts: [attempt({ status })] }),
      );
      expect(reply).toMatchObject({ kind: "live", attempt: { id: "pay_1" } });
      expect(writes).toEqual([]);
    },
  );

  test.each<[string, Partial<State>, Partial<StartPayment>]>([
    ["a paid quote", { quote_states: [quoteState({ status: "PAID" })] }, {}],
    [
      "a quote priced for information",
      { quote_states: [quoteState({ status: "WAITLIST_OFFERED" })] },
      {},
    ],
    ["an invalidated quote", { quote_states: [quoteState({ status: "INVALIDATED" })] }, {}],
    ["an expired quote", {}, { quote: quote({ expires_at: NOW }) }],
    ["a quote whose key was revoked", { agents: [agent(NOW - 1)] }, {}],
  ])("on %s, and nothing begins", (_, rows, change) => {
    const { reply, writes } = startPayment.decide(pressing(change), idle(rows));
    expect(reply).toEqual({ kind: "closed" });
    expect(writes).toEqual([]);
  });

  test("starts a millisecond before the quote's end", () => {
    const { reply } = startPayment.decide(
      pressing({ quote: quote({ expires_at: NOW + 1 }) }),
      idle({ agents: [agent(null)] }),
    );
    expect(reply.kind).toBe("started");
  });

  test.each<[string, Partial<State>, string]>([
    ["bags are gone", { stock: [stock({ on_hand: 1 })] }, "OUT_OF_STOCK"],
    ["the bean has no stock row", { stock: [] }, "OUT_OF_STOCK"],
    [
      "more bags are owed than there are",
      { stock: [stock({ on_hand: -1, held: 0 })] },
      "OUT_OF_STOCK",
    ],
    ["the courtesy was redeemed", { customers: [redeemed()] }, "COURTESY_USED"],
    [
      "there was a paid order since",
      { customers: [customer({ paid_orders: 1 })] },
      "COURTESY_USED",
    ],
  ])("after %s, and the quote is invalidated with the reason", (_, rows, reason) => {
    const { reply, writes } = startPayment.decide(pressing({ firstOrder: true }), idle(rows));
    expect(reply).toEqual({ kind: "closed" });
    expect(touched(writes)).toEqual(["quote_states"]);
    expect(written(writes, "quote_states")).toMatchObject([{ status: "INVALIDATED", reason }]);
  });

  it("on a quote without the courtesy, whoever has used theirs", () => {
    const { reply, writes } = startPayment.decide(pressing(), idle({ customers: [redeemed()] }));
    expect(reply.kind).toBe("started");
    expect(touched(writes)).not.toContain("customers");
  });

  it("can take the last bags", () => {
    const { writes } = startPayment.decide(pressing(), idle({ stock: [stock({ on_hand: 4 })] }));
    expect(written(writes, "stock")).toEqual([{ on_hand: 4, held: 4 }]);
  });
});

describe("an expired attempt while the provider does not answer", () => {
  const over = {
    now: NOW,
    attemptId: "pay_1",
    quote: quote(),
    bags: pressing().bags,
    canceled: false,
  };

  it("releases its bags and is still checked", () => {
    const rows = books({ attempts: [attempt({ hold_until: NOW - MINUTE, expires_at: NOW })] });
    const { writes } = loseHold.decide(over, rows);
    expect(written(writes, "stock")).toEqual([
      { on_hand: 10, held: 0, offers_from: NOW + TIMES.freed_bags_ms },
    ]);
    expect(written(writes, "attempts")).toEqual([{ holds: "[]", hold_until: NOW, address: null }]);
  });

  test.each<[string, Partial<State>]>([
    [
      "while its page can still be paid",
      { attempts: [attempt({ hold_until: NOW - MINUTE, expires_at: NOW + 1 })] },
    ],
    [
      "while a bank debit may still settle",
      { attempts: [attempt({ status: "PROCESSING", hold_until: NOW + 1, expires_at: NOW })] },
    ],
    ["once paid", { attempts: [attempt({ status: "PAID", hold_until: NOW })] }],
  ])("keeps them %s", (_, rows) => {
    expect(loseHold.decide(over, books(rows)).writes).toEqual([]);
  });
});

test.each([
  ["ABANDONED", "OPEN"],
  ["REJECTED", "OPEN"],
  ["UNKNOWN", "CREATING"],
  ["UNKNOWN", "PAID"],
] as const)("the outcome %s does not end an attempt that is %s by now", (outcome, status) => {
  const command = {
    ...{ now: NOW, attemptId: "pay_1", quote: quote(), bags: pressing().bags },
    ...{ outcome, incidentId: "inc_1", trouble: undefined },
  };
  const rows = books({ attempts: [attempt({ status })] });
  expect(endAttempt.decide(command, rows).writes).toEqual([]);
});

test("a bank debit past its hold is resumed, not paid again", () => {
  const debit = attempt({ status: "PROCESSING", hold_until: NOW - 1, expires_at: NOW - 1 });
  const decided = startPayment.decide(pressing(), books({ attempts: [debit] }));
  expect(decided).toEqual({ reply: { kind: "live", attempt: debit }, writes: [] });
});

test.each<[Partial<AttemptRow>, object]>([
  [
    { status: "CREATING", session_id: null },
    { status: "OPEN", session_id: "cs_2" },
  ],
  [
    { status: "ENDED", session_id: null },
    { status: "ENDED", session_id: "cs_2" },
  ],
  [
    { status: "OPEN", session_id: "cs_1" },
    { status: "OPEN", session_id: "cs_1" },
  ],
])("a page made for an attempt %j", (change, expected) => {
  const command = { now: NOW, attemptId: "pay_1", sessionId: "cs_2", url: "https://p.example/2" };
  const { reply } = recordSession.decide(command, books({ attempts: [attempt(change)] }));
  expect(reply).toMatchObject(expected);
});

test("a canceled attempt releases bags and courtesy at once", () => {
  const canceled = {
    ...{ now: NOW, attemptId: "pay_1", quote: quote(), bags: pressing().bags },
    canceled: true,
  };
  const reserved = customer({ courtesy: "RESERVED", courtesy_attempt: "pay_1" });
  const { writes } = loseHold.decide(canceled, books({ customers: [reserved] }));
  expect(written(writes, "stock")).toEqual([
    { on_hand: 10, held: 0, offers_from: NOW + TIMES.freed_bags_ms },
  ]);
  expect(written(writes, "customers")).toEqual([{ courtesy: null, courtesy_attempt: null }]);
});

function redeemed(): CustomerRow {
  return customer({ paid_orders: 1, courtesy: "REDEEMED", courtesy_attempt: "pay_0" });
}
