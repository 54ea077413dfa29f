/** Refunds and disputes of a payment follow the provider's reports (contract §5). */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type State, stateOf, type Write } from "../../src/core/command.ts";
import type { ShipmentId } from "../../src/core/ids.ts";
import { owedMinor } from "../../src/core/owed.ts";
import {
  type DisputeRow,
  type LedgerRow,
  newRow,
  type OrderRow,
  type RefundRow,
  type ShipmentRow,
} from "../../src/core/records.ts";
import { refundOrder } from "../../src/orders/merchant-refund.ts";
import { setAttempt } from "../../src/payments/attempt.ts";
import {
  noteRefundSent,
  type RefundOutcome,
  recordRefundOutcome,
} from "../../src/payments/refund-outcome.ts";
import type { ProviderRefund, ReportedCheckout } from "../../src/payments/reported-checkout.ts";
import {
  attempt,
  books,
  dispute,
  disputeWord,
  NOW,
  order,
  quoteState,
  refund,
  refundWord,
  settle,
  settling,
  touched,
  written,
} from "../support/rows.ts";

const ordered = (change: Partial<OrderRow> = {}, rows: Partial<State> = {}) =>
  books({
    orders: [order(change)],
    attempts: [attempt({ status: "PAID", holds: "[]", check_at: NOW })],
    quote_states: [quoteState({ status: "PAID", order_id: "ord_1" })],
    ...rows,
  });

const types = (writes: readonly Write[]) => written(writes, "events").map(({ type }) => type);
const kinds = (writes: readonly Write[]) => written(writes, "incidents").map(({ kind }) => kind);
const dataOf = (event: Record<string, unknown> | undefined) => JSON.parse(String(event?.data));

describe("amount that the merchant owes after failed refunds", () => {
  const day = (n: number) => NOW + n * 86_400_000;
  const failed = (made: number, failed_on: number, change: Partial<RefundRow> = {}) =>
    refund({ status: "FAILED", created_at: day(made), done_at: day(failed_on), ...change });
  const done = (made: number, change: Partial<RefundRow> = {}) =>
    refund({ status: "DONE", created_at: day(made), done_at: day(made), ...change });
  const lost = (closed: number) => dispute({ status: "LOST", closed_at: day(closed) });
  test.each<[string, number, RefundRow[], DisputeRow[]]>([
    ["one that failed", 1000, [failed(0, 20)], []],
    ["one that was made again", 0, [failed(0, 20), done(21)], []],
    ["one that is being made again", 0, [failed(0, 20), refund({ created_at: day(21) })], []],
    ["in parts, one of them missing", 400, [failed(0, 20), done(21, { amount_minor: 600 })], []],
    ["another part, made before it failed", 1000, [failed(0, 20), done(1)], []],
    ["one that failed twice", 1000, [failed(0, 20), failed(21, 30)], []],
    ["and was made the third time", 0, [failed(0, 20), failed(21, 30), done(31)], []],
    ["one that the bank took back since", 0, [failed(0, 20)], [lost(30)]],
    ["not made, because too little was left", 0, [failed(0, 1, { status: "CANCELED" })], []],
    ["of a second payment", 1000, [failed(0, 20, { payment_ref: "pi_2" }), done(21)], []],
  ])("%s: %i", (_, owed, refunds, disputes) => {
    expect(owedMinor({ refunds, disputes })).toBe(owed);
  });
});

const summary = (writes: readonly Write[]) => ({
  events: types(writes),
  incidents: kinds(writes),
  order: written(writes, "orders")[0] ?? {},
  refunds: written(writes, "refunds"),
  disputes: written(writes, "disputes"),
  tables: touched(writes),
});

const second = {
  attempts: [attempt({ id: "pay_2", status: "ENDED", outcome: "PAID_TWICE" })],
  refunds: [refund({ id: "rf_2", attempt_id: "pay_2", payment_ref: "pi_2", reason: "PAID_TWICE" })],
};
const OF_SECOND: Partial<ReportedCheckout> = { attemptId: "pay_2", paymentRef: "pi_2" };
const ours = (change: Partial<ProviderRefund> = {}) => refundWord({ refundId: "rf_1", ...change });
const NEW_DEADLINE = NOW + 20 * 86_400_000;
const waits = ours({ status: "pending", problem: "insufficient_funds" });
const failed = ours({ amountMinor: 3200, status: "failed", problem: "expired_or_canceled_card" });
const outside = refund({ id: "re_1", provider_ref: "re_1", reason: "OUTSIDE", status: "DONE" });
const disputed = { payment_status: "DISPUTED" as const };
const isOpen = { disputes: [dispute()] };

describe("after the order", () => {
  test.each<
    [
      what: string,
      says: Partial<ReportedCheckout>,
      order: Partial<OrderRow>,
      rows: Partial<State>,
      expected: Partial<ReturnType<typeof summary>>,
    ]
  >([
    ["a repeated report", {}, {}, {}, { tables: [] }],
    [
      "a dispute",
      ...([{ disputes: [disputeWord()] }, {}, {}] as const),
      {
        order: { payment_status: "DISPUTED", last_sequence: 3 },
        ...{ events: ["payment.disputed"], incidents: ["DISPUTED"] },
      },
    ],
    ["a known dispute", { disputes: [disputeWord()] }, disputed, isOpen, { tables: [] }],
    [
      "a new deadline of a dispute",
      ...([{ disputes: [disputeWord({ dueBy: NEW_DEADLINE })] }, disputed, isOpen] as const),
      {
        disputes: [expect.objectContaining({ status: "OPEN", due_by: NEW_DEADLINE })],
        tables: ["attempts", "disputes"],
      },
    ],
    [
      "an answered dispute",
      ...([{ disputes: [disputeWord({ dueBy: null })] }, disputed, isOpen] as const),
      { disputes: [expect.objectContaining({ due_by: null, closed_at: null })] },
    ],
    [
      "a dispute that was won",
      ...([{ disputes: [disputeWord({ status: "won", dueBy: null })] }, disputed, isOpen] as const),
      {
        disputes: [expect.objectContaining({ status: "WON", closed_at: NOW })],
        order: { payment_status: "PAID", last_sequence: 3 },
        ...{ events: ["payment.dispute_closed"], incidents: [] },
      },
    ],
    [
      "a dispute that was lost",
      ...([{ disputes: [disputeWord({ status: "lost", dueBy: null })] }, disputed] as const),
      isOpen,
      {
        disputes: [expect.objectContaining({ status: "LOST", closed_at: NOW })],
        order: { last_sequence: 3 },
        ...{ events: ["payment.dispute_closed"], incidents: ["DISPUTE_LOST"] },
      },
    ],
    [
      "a partial refund at the provider",
      ...([{ refunds: [refundWord()] }, {}, {}] as const),
      {
        order: { refunded_minor: 1000, last_sequence: 3 },
        refunds: [expect.objectContaining({ id: "re_1", reason: "OUTSIDE", status: "DONE" })],
        ...{ events: ["payment.refunded"], incidents: ["REFUNDED_OUTSIDE"] },
      },
    ],
    [
      "the last part of a refund",
      { refunds: [refundWord(), refundWord({ id: "re_2", amountMinor: 2200 })] },
      ...([{ refunded_minor: 1000 }, { refunds: [outside] }] as const),
      {
        order: { refunded_minor: 3200, payment_status: "REFUNDED", last_sequence: 3 },
        events: ["payment.refunded"],
      },
    ],
    [
      "our refund, whatever was refunded before",
      { refunds: [refundWord({ id: "re_out", amountMinor: 3000 }), ours({ amountMinor: 200 })] },
      ...([{}, { refunds: [refund({ amount_minor: 200 })] }] as const),
      {
        refunds: [
          expect.objectContaining({ id: "re_out" }),
          expect.objectContaining({ status: "DONE", provider_ref: "re_1" }),
        ],
        incidents: ["REFUNDED_OUTSIDE"],
      },
    ],
    [
      "a pending refund, which is no event before it arrives",
      { refunds: [ours({ status: "pending", problem: "processing" })] },
      ...([{}, { refunds: [refund()] }] as const),
      {
        refunds: [
          expect.objectContaining({
            ...{ status: "PENDING", provider_ref: "re_1", problem: "processing" },
          }),
        ],
        tables: ["attempts", "refunds"],
      },
    ],
    [
      "a refund that waits for the provider's balance",
      ...([{ refunds: [waits] }, {}, { refunds: [refund()] }] as const),
      { incidents: ["REFUND_WAITS"], events: [] },
    ],
    [
      "one that still waits",
      ...([{ refunds: [waits] }, {}] as const),
      {
        refunds: [refund({ provider_ref: "re_1", problem: "insufficient_funds", try_at: null })],
      },
      { incidents: [] },
    ],
    [
      "a refund that fails after it was pending",
      ...([{ refunds: [failed] }, {}] as const),
      { refunds: [refund({ provider_ref: "re_1", amount_minor: 3200 })] },
      {
        order: { last_sequence: 3 },
        ...{ events: ["payment.refund_failed"], incidents: ["REFUND_FAILED"] },
      },
    ],
    [
      "a refund that fails after it was done",
      ...([{ refunds: [failed] }, { refunded_minor: 3200, payment_status: "REFUNDED" }] as const),
      { refunds: [refund({ status: "DONE", provider_ref: "re_1", amount_minor: 3200 })] },
      {
        order: { refunded_minor: 0, payment_status: "PAID", last_sequence: 3 },
        ...{ events: ["payment.refund_failed"], incidents: ["REFUND_FAILED"] },
      },
    ],
    [
      "a dispute and a full refund in one report",
      { disputes: [disputeWord()], refunds: [refundWord({ amountMinor: 3200 })] },
      ...([{}, {}] as const),
      {
        order: { payment_status: "REFUNDED", refunded_minor: 3200, last_sequence: 4 },
        events: ["payment.disputed", "payment.refunded"],
      },
    ],
    [
      "a lost dispute, and a refund not made yet is dropped",
      ...([{ disputes: [disputeWord({ status: "lost" })] }, {}] as const),
      { ...isOpen, refunds: [refund({ amount_minor: 3200, problem: "DISPUTED" })] },
      {
        refunds: [expect.objectContaining({ status: "CANCELED", try_at: null })],
        events: ["payment.dispute_closed"],
      },
    ],
    [
      "a dispute of a second payment, which is no event of the order",
      ...([{ ...OF_SECOND, disputes: [disputeWord()] }, {}, second] as const),
      { order: {}, events: [], incidents: ["DISPUTED"] },
    ],
    [
      "a second payment's refund, after which the order stays paid",
      { ...OF_SECOND, refunds: [ours({ refundId: "rf_2" })] },
      ...([{}, second] as const),
      { order: { last_sequence: 3 }, events: ["payment.refunded"] },
    ],
    [
      "a second payment's refund at the provider, and its lost dispute",
      { ...OF_SECOND, refunds: [refundWord()], disputes: [disputeWord({ status: "lost" })] },
      ...([{}, second] as const),
      {
        refunds: [
          expect.objectContaining({ reason: "OUTSIDE" }),
          expect.objectContaining({ status: "CANCELED" }),
        ],
      },
    ],
  ])("%s", (_, says, change, rows, expected) => {
    const command = settling(says, says.attemptId ? { attemptId: "pay_2" } : {});
    const { writes } = settle.decide(command, ordered(change, rows));
    expect(summary(writes)).toMatchObject(expected);
    if (says.attemptId) expect(written(writes, "ledger")).toEqual([]);
  });

  it("names in each event the amount, and what is refunded in all of the order's own payment", () => {
    const data = (...of: Parameters<typeof settle.decide>) =>
      dataOf(written(settle.decide(...of).writes, "events")[0]);
    expect(data(settling({ refunds: [refundWord()] }), ordered())).toMatchObject({
      ...{ amount_minor: 1000, refunded_minor: 1000 },
    });
    const lost = settling({ disputes: [disputeWord({ status: "lost", dueBy: null })] });
    const outcome = { outcome: "LOST", amount_minor: 3200 };
    expect(data(lost, ordered(disputed, isOpen))).toMatchObject(outcome);
    const back = { ...OF_SECOND, refunds: [ours({ refundId: "rf_2" })] };
    const other = data(settling(back, { attemptId: "pay_2" }), ordered({}, second));
    expect(other).not.toHaveProperty("refunded_minor");
  });

  const known = (status: RefundRow["status"]) => ({ refunds: [{ ...outside, status }] });
  const decided = (status: DisputeRow["status"]) => ({
    disputes: [dispute({ status, due_by: null, closed_at: NOW })],
  });
  const refundIs = (status: ProviderRefund["status"]) => ({
    refunds: [refundWord({ id: "re_1", status })],
  });
  test.each([
    ["a refund that is DONE, pending", known("DONE"), refundIs("pending")],
    ["a refund that FAILED, pending", known("FAILED"), refundIs("pending")],
    ["a refund that FAILED, succeeded", known("FAILED"), refundIs("succeeded")],
    ["a dispute that was WON, open", decided("WON"), { disputes: [disputeWord()] }],
    ["a dispute that was LOST, open", decided("LOST"), { disputes: [disputeWord()] }],
  ])("an older answer does not make %s again; it is asked for once more", (_case, rows, says) => {
    const paid = attempt({ status: "PAID", holds: "[]", answers: 2 });
    const late = settle.decide(
      settling(says, { seen: { ...paid, answers: 1 } }),
      ordered({}, { attempts: [paid], ...rows }),
    );
    expect(late.writes).toEqual([setAttempt(paid, { check_at: NOW })]);
  });

  it("a bank that reverses its decision reopens the dispute", () => {
    const paid = attempt({ status: "PAID", holds: "[]", answers: 2 });
    const says = settling({ disputes: [disputeWord()] }, { seen: paid });
    const { writes } = settle.decide(says, ordered({}, { attempts: [paid], ...decided("WON") }));
    expect(summary(writes)).toMatchObject({
      disputes: [{ status: "OPEN", closed_at: null }],
      order: { payment_status: "DISPUTED" },
      ...{ events: ["payment.disputed"], incidents: ["DISPUTED"] },
    });
    expect(written(writes, "attempts")).toContainEqual({ answers: 3 });
  });

  it("after a partial loss, waiting refunds beyond the rest are dropped", () => {
    const lost = disputeWord({ status: "lost", amountMinor: 1000 });
    const waits = (id: string, amount_minor: number, more: Partial<RefundRow> = {}) =>
      refund({ id, amount_minor, problem: "DISPUTED", ...more });
    const dropped = (...refunds: RefundRow[]) => {
      const known = { refunds, disputes: [dispute({ amount_minor: 1000 })] };
      const { writes } = settle.decide(settling({ disputes: [lost] }), ordered({}, known));
      const ids = writes.flatMap((write) =>
        write.table === "refunds" && write.op === "update" ? [write.key.id] : [],
      );
      return [ids, kinds(writes)];
    };
    expect(dropped(waits("all", 3200))).toEqual([["all"], ["DISPUTE_LOST", "REFUND_DROPPED"]]);
    expect(dropped(waits("a", 1000), waits("b", 1200))).toEqual([[], ["DISPUTE_LOST"]]);
    expect(dropped(waits("a", 1000), waits("b", 2200), waits("c", 2000))).toEqual([
      ["b", "c"],
      ["DISPUTE_LOST", "REFUND_DROPPED"],
    ]);
    const made = waits("made", 1000, { provider_ref: "re_1", problem: null });
    expect(dropped(made, waits("b", 2200))).toEqual([["b"], ["DISPUTE_LOST", "REFUND_DROPPED"]]);
    // A full refund names no amount, so the provider returns what is left.
    expect(dropped(waits("all", 3200, { reason: "PAID_TWICE" }))).toEqual([[], ["DISPUTE_LOST"]]);
  });

  it("is checked within hours while money is on its way", () => {
    const says = settling({ refunds: [refundWord({ status: "pending" })] });
    const old = attempt({ status: "PAID", holds: "[]", check_at: NOW + 30 * 86_400_000 });
    const { writes } = settle.decide(says, ordered({}, { attempts: [old] }));
    const [{ check_at }] = written(writes, "attempts") as [{ check_at: number }];
    expect(check_at - NOW).toBeLessThanOrEqual(6 * 3_600_000);
  });

  const done = refund({ status: "DONE", provider_ref: "re_1", done_at: NOW - 1, try_at: null });
  const lost = dispute({ status: "LOST", closed_at: NOW - 1, due_by: null });
  test.each<[string, Partial<ReportedCheckout>, Partial<State>, [string, string, number][]]>([
    ["a refund", { refunds: [refundWord()] }, {}, [["REFUND", "re_1", -1000]]],
    ["a pending refund", { refunds: [refundWord({ status: "pending" })] }, {}, []],
    ["a known refund", { refunds: [refundWord()] }, { refunds: [done] }, []],
    [
      "a refund that fails later",
      { refunds: [refundWord({ status: "failed" })] },
      { refunds: [done] },
      [["REFUND", "rf_1", 1000]],
    ],
    ["an open dispute", { disputes: [disputeWord()] }, {}, []],
    [
      "a lost dispute",
      { disputes: [disputeWord({ status: "lost" })] },
      {},
      [["DISPUTE", "du_1", -3200]],
    ],
    [
      "a bank that changes its decision",
      { disputes: [disputeWord({ status: "won" })] },
      { disputes: [lost] },
      [["DISPUTE", "du_1", 3200]],
    ],
    [
      "a lost dispute of another amount",
      { disputes: [disputeWord({ status: "lost", amountMinor: 3000 })] },
      { disputes: [lost] },
      [["DISPUTE", "du_1", 200]],
    ],
  ])("the books get a line for %s", (_, reported, rows, lines) => {
    const { writes } = settle.decide(settling(reported), ordered({}, rows));
    expect(
      written(writes, "ledger").map((row) => {
        const { kind, cause, amount_minor, payment_ref, at } = row as LedgerRow;
        expect([payment_ref, at]).toEqual(["pi_1", NOW]);
        return [kind, cause, amount_minor];
      }),
    ).toEqual(lines);
  });

  it("of a payment without an order is no event", () => {
    const row = refund({ order_id: null, reason: "WRONG_AMOUNT" });
    const { writes } = settle.decide(
      settling({ refunds: [refundWord({ refundId: "rf_1" })] }),
      books({ attempts: [attempt({ status: "ENDED", outcome: "WRONG_AMOUNT" })], refunds: [row] }),
    );
    expect(touched(writes)).toEqual(["attempts", "refunds"]);
  });
});

describe("the outcome of a refund's request", () => {
  const made: ProviderRefund = refundWord({ refundId: "rf_1" });
  const record = (answer: RefundOutcome, rows: Partial<State>, asked = refund()) => {
    const ids = { events: ["evt_9"], incidents: ["inc_9"] };
    const state = ordered({}, { refunds: [refund()], ...rows });
    return recordRefundOutcome.decide({ now: NOW, refund: asked, answer, ids }, state).writes;
  };

  test.each<[RefundOutcome]>([
    [{ kind: "made", refund: made }],
    [{ kind: "later", why: "NO_ANSWER", newKey: false }],
    [{ kind: "refused", why: "OTHER" }],
  ])("changes nothing after the refund has ended: %j", (answer) => {
    for (const status of ["DONE", "FAILED", "CANCELED"] as const) {
      const ended = refund({ status, provider_ref: status === "CANCELED" ? null : "re_0" });
      expect(record(answer, { refunds: [ended] })).toEqual([]);
    }
  });

  it("is recorded once by two processes under the same key", () => {
    const answer = { kind: "later", why: "FAILED_THERE", newKey: true } as const;
    expect(written(record(answer, {}), "refunds")).toMatchObject([{ tries: 1, key_number: 2 }]);
    expect(record(answer, { refunds: [refund({ tries: 1, key_number: 2 })] })).toEqual([]);
  });

  test.each<[DisputeRow["status"][], object]>([
    [["LOST"], { status: "FAILED", problem: "dispute_lost" }],
    [["LOST", "OPEN"], { tries: 1, problem: "DISPUTED" }],
    [["WON"], { tries: 1, problem: "DISPUTED" }],
  ])("refused for disputes %j", (statuses, set) => {
    const disputes = statuses.map((status, i) => dispute({ id: `du_${i}`, status }));
    // A lost dispute of another part leaves enough for this refund.
    const rows = { disputes: disputes.map((row) => ({ ...row, amount_minor: 1 })) };
    const answer = { kind: "later", why: "DISPUTED", newKey: true } as const;
    expect(written(record(answer, rows), "refunds")).toMatchObject([set]);
  });

  it("for another reason than before is tried again after that reason's first pause", () => {
    const before = refund({ problem: "NO_ANSWER", tries: 5 });
    const answer = { kind: "later", why: "FAILED_THERE", newKey: true } as const;
    const set = { try_at: NOW + 60_000, problem: "FAILED_THERE", tries: 1 };
    const writes = record(answer, { refunds: [before] }, before);
    expect(written(writes, "refunds")).toMatchObject([set]);
  });

  it("is recorded as sent once, before the first request", () => {
    const send = (row: RefundRow) =>
      noteRefundSent.decide({ now: NOW, refund: row }, stateOf({ refunds: [row] }));
    const fresh = refund();
    expect(send(fresh).reply).toEqual(fresh);
    expect(written(send(fresh).writes, "refunds")).toEqual([{ sent_at: NOW }]);
    const before = refund({ sent_at: NOW - 1 });
    expect(send(before)).toEqual({ reply: before, writes: [] });
    const closed = refund({ status: "CANCELED" });
    expect(send(closed)).toEqual({ reply: null, writes: [] });
  });
});

describe("several refunds by the merchant", () => {
  const ask = (
    amountMinor: number | null,
    refunds: RefundRow[],
    {
      seen,
      again = true,
      shipmentIds = [],
      shipments = [],
      note = null,
    }: {
      note?: { id: string; text: string } | null;
      seen?: number;
      again?: boolean;
      shipmentIds?: readonly ShipmentId[];
      shipments?: readonly ShipmentRow[];
    } = {},
  ) =>
    refundOrder.decide(
      {
        now: NOW,
        id: `rf_${refunds.length + 1}`,
        orderId: "ord_1",
        paymentRef: "pi_1",
        amountMinor,
        shipmentIds,
        again,
        note,
        seen,
        by: { id: "aud_1", actor: "cli" },
      },
      stateOf({ orders: [order()], refunds, shipments }),
    );

  it("never promise more than was paid, in any order and with any failing", () => {
    const amount = fc.integer({ min: 1, max: 4000 });
    const end = fc.constantFrom<ProviderRefund["status"]>("pending", "succeeded", "failed");
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, end), { maxLength: 12 }), (asked) => {
        const refunds: RefundRow[] = [];
        for (const [amountMinor, status] of asked) {
          try {
            const { reply } = ask(amountMinor, refunds);
            const ended = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;
            refunds.push({ ...reply, status: ended[status], provider_ref: `re_${reply.id}` });
          } catch (error) {
            expect(error).toMatchObject({ code: "ILLEGAL_STEP" });
          }
          const out = refunds.filter((r) => r.status !== "FAILED");
          expect(out.reduce((sum, r) => sum + r.amount_minor, 0)).toBeLessThanOrEqual(3200);
        }
      }),
    );
  });

  it("is recorded with its note in one decision", () => {
    const { writes } = ask(500, [], { note: { id: "note_1", text: "Torn seal" } });
    expect(written(writes, "refunds")).toMatchObject([{ amount_minor: 500 }]);
    expect(written(writes, "order_notes")).toMatchObject([{ id: "note_1", text: "Torn seal" }]);
  });

  it.each([
    [[], ["shp_2"]],
    [["shp_0"], ["shp_0"]],
    [
      ["shp_0", "shp_1"],
      ["shp_0", "shp_1"],
    ],
  ])("for the shipments %j is kept for %j; without any, for what was canceled", (named, kept) => {
    const shipments = (["SHIPPED", "PENDING", "CANCELED"] as const).map((status, position) =>
      newRow("shipments", { id: `shp_${position}`, order_id: "ord_1", position, status }),
    );
    const { reply } = ask(500, [], { shipments, shipmentIds: named as ShipmentId[] });
    expect(JSON.parse(reply.shipment_ids!)).toEqual(kept);
    expect(() => ask(500, [], { shipments, shipmentIds: ["shp_0", "shp_9"] })).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });

  it("leave out what went back of another payment", () => {
    const of = { payment_ref: "pi_2", status: "DONE", amount_minor: 3200 } as const;
    expect(ask(3200, [refund(of)]).reply).toMatchObject({ amount_minor: 3200 });
  });

  it("a failed refund can be repeated", () => {
    const { reply } = ask(null, [refund({ amount_minor: 3200, status: "FAILED" })]);
    expect(reply).toMatchObject({ id: "rf_2", amount_minor: 3200, status: "PENDING" });
  });

  const at = (age: number, change: Partial<RefundRow> = {}) =>
    refund({ amount_minor: 1000, created_at: NOW - age, ...change });
  const sent = { provider_ref: "re_1", try_at: null };
  test.each<[string, RefundRow, boolean]>([
    ["that waits for the provider", at(3_600_000), false],
    ["that the provider has had for less than a minute", at(59_999, sent), false],
    ["that arrived less than a minute ago", at(59_999, { ...sent, status: "DONE" }), false],
    ["that arrived a minute ago", at(60_000, { ...sent, status: "DONE" }), true],
    ["of another amount", at(0, { amount_minor: 999 }), true],
    ["that failed", at(0, { ...sent, status: "FAILED" }), true],
    ["that was made at the provider", at(0, { ...sent, reason: "OUTSIDE", status: "DONE" }), true],
  ])("the same amount again, after one %s", (_, before, isTaken) => {
    const repeat = () => ask(1000, [before], { again: false }).reply;
    if (isTaken) expect(repeat()).toMatchObject({ id: "rf_2", amount_minor: 1000 });
    else expect(repeat).toThrow(expect.objectContaining({ code: "ILLEGAL_STEP" }));
    expect(ask(1000, [before]).reply).toMatchObject({ id: "rf_2", amount_minor: 1000 });
  });

  it("from a stale page does nothing", () => {
    const given = refund({ status: "DONE", provider_ref: "re_1" });
    const { last_sequence: before } = order();
    expect(() => ask(1000, [given], { seen: before })).toThrow(
      "has changed since you opened this page",
    );
    expect(ask(1000, [given], { seen: before + 1 }).reply).toMatchObject({ amount_minor: 1000 });
  });
});
