/** What changed after the sale of a session's order (contract §20). */
import { describe, expect, test } from "vitest";
import type { CancelRequestRow } from "../../src/core/records.ts";
import { changesOf } from "../../src/orders/session-order.ts";
import { attempt, NOW, refund } from "../support/rows.ts";

const kinds = (...args: Parameters<typeof changesOf>) =>
  changesOf(...args).map(({ kind, status, backMinor }) => [kind, status, backMinor]);

const nothing = { refunds: [], disputes: [], cancelRequests: [] };

test.each([
  ["REQUESTED", [["CANCEL_REQUEST", "PENDING", null]]],
  ["DECLINED", [["CANCEL_REQUEST", "FAILED", null]]],
  ["WITHDRAWN", []],
  ["ACCEPTED", []],
] as const)("a cancel request that is %s", (status, expected) => {
  const cancelRequests = [{ id: "cr_1", created_at: NOW, status } as CancelRequestRow];
  expect(kinds({ ...nothing, cancelRequests }, [], [])).toEqual(expected);
});

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
