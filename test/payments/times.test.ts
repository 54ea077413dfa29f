/** When an attempt is checked again, by its status and age (contract §5). */
import { expect, test } from "vitest";
import type { AttemptRow } from "../../src/core/records.ts";
import { isOverdue, nextCheck } from "../../src/payments/times.ts";
import { attempt, dispute, MINUTE, NOW, refund } from "../support/rows.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Of this status and age; its page ends 40 minutes after it was made. */
const aged = (status: AttemptRow["status"], age: number) => {
  const created_at = NOW - age;
  return attempt({
    status,
    created_at,
    expires_at: created_at + 40 * MINUTE,
    called_since: created_at,
  });
};

test.each<[AttemptRow["status"], age: number, wait: number | null]>([
  ["CREATING", 0, 2 * MINUTE],
  ["CREATING", 2 * MINUTE, MINUTE],
  ["OPEN", 0, MINUTE],
  ["OPEN", 4 * MINUTE, 2 * MINUTE],
  ["OPEN", 30 * MINUTE, 10 * MINUTE],
  ["OPEN", 35 * MINUTE, 5 * MINUTE],
  ["OPEN", 40 * MINUTE, MINUTE],
  ["PROCESSING", HOUR, HOUR / 2],
  ["PROCESSING", 2 * DAY, 4 * HOUR],
  ["PROCESSING", 14 * DAY - HOUR, HOUR],
  ["PROCESSING", 15 * DAY, 4 * HOUR],
  ["CAPTURING", HOUR, MINUTE],
  ["RELEASING", HOUR, MINUTE],
  ["PAID", 0, HOUR],
  ["PAID", 3 * HOUR, 3 * HOUR],
  ["PAID", 120 * DAY, 120 * DAY],
  ["PAID", 120 * DAY + 1, null],
])("%s for %i ms: checked after %s ms", (status, age, wait) => {
  expect(nextCheck(aged(status, age), NOW)).toBe(wait === null ? null : NOW + wait);
});

test.each([
  ["a pending refund", { refunds: [refund({ created_at: NOW - DAY })], disputes: [] }, 6 * HOUR],
  ["an open dispute", { refunds: [], disputes: [dispute({ created_at: NOW - DAY })] }, 6 * HOUR],
  [
    "a refund that arrived a day ago",
    { refunds: [refund({ status: "DONE", created_at: NOW - DAY })], disputes: [] },
    DAY,
  ],
])("a payment of half a year with %s is checked again: %#", (_, moved, wait) => {
  expect(nextCheck(aged("PAID", 180 * DAY), NOW, moved)).toBe(NOW + wait);
});

test.each<[AttemptRow["status"], number]>([
  ["OPEN", 40 * MINUTE],
  ["PROCESSING", 14 * DAY],
  ["CAPTURING", 10 * MINUTE],
  ["RELEASING", HOUR],
])("%s is overdue after %i ms", (status, age) => {
  expect([isOverdue(aged(status, age - 1), NOW), isOverdue(aged(status, age), NOW)]).toEqual([
    false,
    true,
  ]);
});
