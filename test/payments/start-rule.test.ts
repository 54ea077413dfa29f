import { describe, expect, it, test } from "vitest";
import { type State, stateOf } from "../../src/core/command.ts";
import type { AgentRow, AttemptRow, CustomerRow } from "../../src/core/records.ts";
import type { Report } from "../../src/payments/attempt.ts";
import { recordSession, type StartPayment, startPayment } from "../../src/payments/start.ts";
import {
  attempt,
  books,
  capturing,
  customer,
  MINUTE,
  NOW,
  pressing,
  quote,
  quoteState,
  settle,
  settling,
  stock,
  touched,
  waitlistOffer,
  written,
} from "../support/rows.ts";

/** No live attempt: ten bags in stock, two of them taken by others. */
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
  it("writes the attempt before the provider is called, and takes nothing", () => {
    const { reply, writes } = startPayment.decide(pressing({ firstOrder: true }), idle());
    expect(reply).toMatchObject({
      kind: "started",
      attempt: { id: "pay_new", status: "CREATING" },
    });
    expect(written(writes, "attempts")).toMatchObject([
      { expires_at: NOW + 40 * MINUTE, holds: "[]", session_id: null },
    ]);
    expect(touched(writes)).toEqual(["attempts", "quote_states"]);
    expect(written(writes, "quote_states")).toMatchObject([
      { status: "CHECKOUT_READY", paying_until: NOW + 40 * MINUTE },
    ]);
  });

  test.each<[string, Partial<State>, Partial<StartPayment>, string]>([
    ["bags that other payments or offers have", { stock: [stock({ held: 9 })] }, {}, "BAGS"],
    [
      "a discount that another payment has",
      { customers: [customer({ courtesy: "RESERVED", courtesy_attempt: "pay_0" })] },
      { firstOrder: true },
      "COURTESY",
    ],
    [
      "a page whose other payment is being captured",
      { attempts: [capturing({ id: "pay_0", quote_id: "qte_0", page: "page" })] },
      { quote: quote({ agent_id: null, cart: "page" }) },
      "PAGE",
    ],
  ])("for %s, and the quote does not change", (_, rows, change, what) => {
    const { reply, writes } = startPayment.decide(pressing(change), idle(rows));
    expect(reply).toEqual({ kind: "taken", what });
    expect(writes).toEqual([]);
  });

  it("extends the waitlist offer that it needs to the end of its page, once", () => {
    const offer = waitlistOffer({ offer_expires_at: NOW + MINUTE });
    const rows = idle({ stock: [stock({ on_hand: 2, held: 2 })], waitlist: [offer] });
    const { writes } = startPayment.decide(pressing(), rows);
    const extended = { offer_expires_at: NOW + 40 * MINUTE, extended_at: NOW };
    expect(written(writes, "waitlist")).toEqual([extended]);
    const again = idle({ ...rows, waitlist: [{ ...offer, extended_at: NOW - MINUTE }] });
    expect(touched(startPayment.decide(pressing(), again).writes)).not.toContain("waitlist");
  });

  test.each(["CREATING", "OPEN", "PROCESSING", "CAPTURING"] as const)(
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

  test.each<[string, Partial<State>]>([
    ["bags are gone", { stock: [stock({ on_hand: 1 })] }],
    ["the bean has no stock row", { stock: [] }],
    ["more bags are owed than there are", { stock: [stock({ on_hand: -1, held: 0 })] }],
    ["the courtesy was redeemed", { customers: [redeemed()] }],
    ["there was a paid order since", { customers: [customer({ paid_orders: 1 })] }],
  ])("after %s, and nothing is stored: that may change again", (_, rows) => {
    const { reply, writes } = startPayment.decide(pressing({ firstOrder: true }), idle(rows));
    expect(reply).toEqual({ kind: "closed" });
    expect(writes).toEqual([]);
  });

  it("on a quote without the courtesy, whoever has used theirs", () => {
    const { reply, writes } = startPayment.decide(pressing(), idle({ customers: [redeemed()] }));
    expect(reply.kind).toBe("started");
    expect(touched(writes)).not.toContain("customers");
  });

  it("for the last bags, beside anybody else", () => {
    const { reply } = startPayment.decide(pressing(), idle({ stock: [stock({ on_hand: 4 })] }));
    expect(reply.kind).toBe("started");
  });
});

const DEBIT_MS = 14 * 24 * 60 * MINUTE;

describe("a payment past its time while the provider does not answer", () => {
  const over = settling({}, { report: "overdue" });

  it("releases the bags of a bank debit after 14 days, and is still checked", () => {
    const debit = capturing({ status: "PROCESSING", created_at: NOW - DEBIT_MS });
    const { writes } = settle.decide(over, books({ attempts: [debit] }));
    expect(written(writes, "stock")).toEqual([{ on_hand: 10, held: 0 }]);
    expect(written(writes, "attempts")).toEqual([{ holds: "[]" }]);
  });

  test.each<[string, AttemptRow]>([
    [
      "a bank debit that may still settle",
      capturing({ status: "PROCESSING", created_at: NOW - DEBIT_MS + 1 }),
    ],
    ["an order", capturing({ status: "PAID", expires_at: NOW })],
  ])("keeps the bags of %s", (_, kept) => {
    expect(settle.decide(over, books({ attempts: [kept] })).writes).toEqual([]);
  });

  test.each([
    ["CAPTURING", 10],
    ["RELEASING", 60],
  ] as const)("%s is an incident after %i minutes, once, and keeps its bags", (status, minutes) => {
    const called = (ago: number) => ({
      attempts: [capturing({ status, called_since: NOW - ago, outcome: "OUT_OF_STOCK" })],
    });
    const decide = (rows: Partial<State>) => settle.decide(over, books(rows)).writes;
    expect(decide(called(minutes * MINUTE - 1))).toEqual([]);
    const told = decide(called(minutes * MINUTE));
    expect(touched(told)).toEqual(["incidents"]);
    const incidents = written(told, "incidents");
    expect(incidents).toMatchObject([{ id: "inc_new", kind: "PAYMENT_STUCK", subject: "qte_1" }]);
    const known = incidents as unknown as State["incidents"];
    expect(decide({ ...called(minutes * MINUTE), incidents: known })).toEqual([]);
  });
});

test.each<[Report, AttemptRow["status"]]>([
  ["abandoned", "OPEN"],
  ["rejected", "OPEN"],
  ["unknown", "CREATING"],
  ["unknown", "PAID"],
  ["unknown", "CAPTURING"],
])("the report %s does not end an attempt that is %s by now", (report, status) => {
  const rows = books({ attempts: [attempt({ status })] });
  expect(settle.decide(settling({}, { report }), rows).writes).toEqual([]);
});

test("a bank debit past its time is resumed, not paid again", () => {
  const debit = attempt({ status: "PROCESSING", created_at: NOW - DEBIT_MS, expires_at: NOW - 1 });
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

function redeemed(): CustomerRow {
  return customer({ paid_orders: 1, courtesy: "REDEEMED", courtesy_attempt: "pay_0" });
}
