/** What changed after the sale of a session's order (contract §20). */
import { describe, expect, test } from "vitest";
import { changesOf } from "../../src/orders/session-order.ts";
import { attempt, refund } from "../support/rows.ts";

const kinds = (...args: Parameters<typeof changesOf>) =>
  changesOf(...args).map(({ kind, status, backMinor }) => [kind, status, backMinor]);

const nothing = { refunds: [], disputes: [] };

describe("a payment that was not kept", () => {
  const second = attempt({ id: "pay_2", status: "ENDED", outcome: "ORDERED_ALREADY" });

  test("was released, if nothing of it was refunded", () => {
    expect(kinds(nothing, [attempt({ status: "PAID" }), second], [])).toEqual([
      ["RELEASED_PAYMENT", "DONE", null],
    ]);
  });

  test("was charged, if it was refunded", () => {
    const back = refund({ attempt_id: "pay_2", reason: "PAID_TWICE", status: "DONE" });
    expect(kinds({ ...nothing, refunds: [back] }, [second], [])).toEqual([
      ["SECOND_PAYMENT", "DONE", back.amount_minor],
    ]);
  });

  test.each(["EXPIRED", "FAILED", "REPLACED", "ABANDONED"])("%s was no payment", (outcome) => {
    expect(kinds(nothing, [{ ...second, outcome }], [])).toEqual([]);
  });
});

test("a refund that can still be undone, or was undone, is no change", () => {
  const created_at = Date.parse("2026-03-02T10:00:00Z");
  const fresh = refund({
    created_at,
    reason: "MERCHANT",
    status: "PENDING",
    provider_ref: null,
    tries: 0,
    try_at: created_at + 10 * 60_000,
  });
  const undone = refund({ id: "rf_2", status: "CANCELED", problem: "UNDONE" });
  expect(kinds({ ...nothing, refunds: [fresh, undone] }, [], [])).toEqual([]);
});
