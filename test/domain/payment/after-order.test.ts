import { describe, expect, it, test } from "vitest";
import { refundDone } from "../../../src/domain/payment/refund.ts";
import { settle } from "../../../src/domain/payment/settle.ts";
import { stateOf } from "../../../src/domain/shared/command.ts";
import type { OrderRow, RefundRow } from "../../../src/domain/shared/records.ts";
import { attempt, books, NOW, order, quoteState, settling, touched, written } from "../rows.ts";

const ordered = (change: Partial<OrderRow> = {}) =>
  books({
    orders: [order(change)],
    attempts: [attempt({ status: "PAID", holds: "[]", check_at: null })],
    quote_states: [quoteState({ status: "PAID", order_id: "ord_1" })],
  });

describe("after the order", () => {
  it("the same word again changes nothing", () => {
    expect(settle.decide(settling(), ordered())).toEqual({
      reply: { orderId: "ord_1", refund: null, expire: [] },
      writes: [],
    });
  });

  it("a dispute marks it, once, and the merchant is told", () => {
    const { writes } = settle.decide(settling({ disputed: true }), ordered());
    expect(written(writes, "orders")).toEqual([{ payment_status: "DISPUTED", last_sequence: 3 }]);
    expect(written(writes, "events")).toMatchObject([{ sequence: 3, type: "payment.disputed" }]);
    expect(written(writes, "incidents")).toMatchObject([{ kind: "DISPUTED", subject: "ord_1" }]);
    const again = ordered({ payment_status: "DISPUTED", last_sequence: 3 });
    expect(settle.decide(settling({ disputed: true }), again).writes).toEqual([]);
  });

  it("a refund in parts is told part by part, and marks it when all is back", () => {
    const half = settle.decide(settling({ refundedMinor: 1000 }), ordered());
    expect(written(half.writes, "orders")).toEqual([{ refunded_minor: 1000, last_sequence: 3 }]);
    expect(JSON.parse(String(written(half.writes, "events")[0]?.data))).toMatchObject({
      amount_minor: 1000,
      refunded_minor: 1000,
    });
    const rest = settle.decide(
      settling({ refundedMinor: 3200 }),
      ordered({ refunded_minor: 1000, last_sequence: 3 }),
    );
    expect(written(rest.writes, "orders")).toEqual([
      { refunded_minor: 3200, payment_status: "REFUNDED", last_sequence: 4 },
    ]);
    expect(JSON.parse(String(written(rest.writes, "events")[0]?.data))).toMatchObject({
      amount_minor: 2200,
    });
  });

  it("a refund made at the provider itself is shown to the merchant", () => {
    const { writes } = settle.decide(settling({ refundedMinor: 3200 }), ordered());
    expect(written(writes, "incidents")).toMatchObject([{ kind: "REFUNDED_OUTSIDE" }]);
  });

  // The provider goes on saying "disputed" of a payment that was once, also after the refund.
  test.each<[string, Partial<OrderRow>]>([
    ["refunded", { payment_status: "REFUNDED", refunded_minor: 3200 }],
    ["disputed", { payment_status: "DISPUTED", refunded_minor: 0 }],
  ])("a disputed payment that is %s stays so, however often it is told", (_, change) => {
    const says = settling({ disputed: true, refundedMinor: change.refunded_minor ?? 0 });
    expect(settle.decide(says, ordered(change)).writes).toEqual([]);
  });

  it("dispute and refund told at once are two events and end refunded", () => {
    const { writes } = settle.decide(settling({ disputed: true, refundedMinor: 3200 }), ordered());
    expect(written(writes, "events").map((event) => event.type)).toEqual([
      "payment.disputed",
      "payment.refunded",
    ]);
    expect(written(writes, "orders")).toMatchObject([{ payment_status: "REFUNDED" }]);
  });
});

describe("money sent back", () => {
  const refund: RefundRow = {
    id: "rf_1",
    attempt_id: "pay_2",
    order_id: "ord_1",
    payment_ref: "pi_2",
    amount_minor: 3200,
    reason: "PAID_TWICE",
    status: "PENDING",
    created_at: NOW,
    done_at: null,
  };
  const done = (change: Partial<RefundRow> = {}) =>
    refundDone.decide(
      { now: NOW, refund, eventId: "evt_9" },
      stateOf({ refunds: [{ ...refund, ...change }], orders: [order()] }),
    );

  it("for a second payment, is told in the order's log and leaves the order paid", () => {
    const { writes } = done();
    expect(written(writes, "refunds")).toEqual([{ status: "DONE", done_at: NOW }]);
    expect(written(writes, "events")).toMatchObject([{ sequence: 3, type: "payment.refunded" }]);
    expect(written(writes, "orders")).toEqual([{ last_sequence: 3 }]);
  });

  it("is noted once", () => {
    expect(done({ status: "DONE" }).writes).toEqual([]);
  });

  it("for what never became an order, has no log to be told in", () => {
    const { writes } = refundDone.decide(
      { now: NOW, refund: { ...refund, order_id: null }, eventId: "evt_9" },
      stateOf({ refunds: [{ ...refund, order_id: null }] }),
    );
    expect(touched(writes)).toEqual(["refunds"]);
  });
});
