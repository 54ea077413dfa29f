/** Every answer that the emulator gives, and every event that it sends, against Stripe's own types. */
import { beforeAll, expect, test } from "vitest";
import { EVENTS_OF_INTEREST } from "../../src/payments/stripe-webhook.ts";
import { CALLS, everything } from "./exchange.ts";
import { type TypeCheck, typeCheck } from "./type-check.ts";

let check: TypeCheck;
beforeAll(() => {
  check = typeCheck();
});

test("every answer has all that Stripe's type of it requires, and nothing else", async () => {
  const { made } = await everything();
  const answered = new Set<string>();
  for (const { call, method, path, status, answer } of made) {
    const kind = status === 200 ? call!.answer : "Refusal";
    expect([method, path, check(kind, answer)]).toEqual([method, path, []]);
    if (status === 200) answered.add(kind);
  }
  // What the start asks about a payment and a coupon names none that exists.
  const never = new Set(["Payment"]);
  const all = CALLS.map(({ answer }) => answer).filter((kind) => !never.has(kind));
  expect([...answered].toSorted()).toEqual([...new Set(all)].toSorted());
});

test("every event that we listen to comes as Stripe's type of it has it", async () => {
  const { events } = await everything();
  for (const event of events) expect(check("Event", event)).toEqual([]);
  const types = new Set(events.map((event) => (event as { type: string }).type));
  // The emulator's disputes are opened and closed; nothing in between changes them.
  const never = new Set(["checkout.session.async_payment_failed", "charge.dispute.updated"]);
  const wanted = EVENTS_OF_INTEREST.filter((type) => !never.has(type));
  expect([...types].toSorted()).toEqual([...wanted].toSorted());
});

test("the check sees what is missing, unknown, misspelt or of another kind", () => {
  const refund = { id: "re_1", object: "refund", amount: 1.5, reason: "duplicat", odd: 1 };
  const found = check("Refund", refund);
  expect(found).toContain("Refund.charge is missing");
  expect(found).toContain("Refund.amount is the number 1.5");
  expect(found).toContain("Refund.odd is unknown");
  expect(found.some((line) => line.startsWith("Refund.reason is not"))).toBe(true);
  expect(check("Event", { type: "charge.refunded", data: { object: null } })).toContain(
    "Event.data.object is null",
  );
});
