/** Refunds and disputes of an order at the provider, checked until each is final (contract §5). */
import { describe, expect, it, test } from "vitest";
import { ProviderUnavailable } from "../../src/payments/provider.ts";
import type { ApiFault } from "../stripe/faults.ts";
import { readBooks } from "../support/books.ts";
import { arrivedMinor } from "../support/sandbox-control.ts";
import { paidPage, shop, webhook } from "./steps.ts";
import { Crash, MINUTE, type World } from "./world.ts";

const HOUR = 60 * MINUTE;

/** A paid order of $32.00. */
async function ordered(options: { timeoutMs?: number } = {}) {
  const world = await shop(options);
  const review = await world.quote();
  const page = await paidPage(world, review);
  await world.process().reconciler.first();
  const { id } = (await world.store.queries.orderOfQuote(review.quote.id))!;
  const admin = () => world.process().admin("cli");
  const refund = (amount_minor: number | null) =>
    admin().orders.refund({ order_id: id, amount_minor, again: true });
  const show = () => admin().orders.show({ order_id: id });
  /** Each refund of the books as "amount STATUS problem". */
  const refunds = async () =>
    (await readBooks(world.store)).refunds
      .map((row) => [row.amount_minor, row.status, row.problem].filter(Boolean).join(" "))
      .sort()
      .join(", ");
  /** Each event after the sale as "type amount". */
  const events = async () =>
    (await world.store.queries.events(id, 2, 50))
      .map(({ type, data }) => `${type.replace("payment.", "")} ${JSON.parse(data).amount_minor}`)
      .join(", ");
  return { world, page, id, refund, show, refunds, events, admin };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;

async function later({ world }: Ordered, ms: number) {
  world.clock.advance(ms);
  await world.sandbox.tick();
  await world.process().reconciler.run();
}

const FAULTS: Record<string, ApiFault> = {
  "503": { kind: "error", status: 503 },
  "500": { kind: "error", status: 500 },
  "500-done": { kind: "error", status: 500, effect: true },
  lost: { kind: "timeout", ms: 1000, effect: true },
};

/** Fails requests for refunds, or all; "ok" ends that, and "-once" fails the first. */
function fail({ control }: World, all: boolean, how: string) {
  const [name, once] = how.split(/-(?=once)/);
  let left = once ? 1 : Number.POSITIVE_INFINITY;
  const fault = FAULTS[name!] ?? null;
  control.faults.api = ({ method, path }) =>
    (all || (method === "POST" && path === "/v1/refunds")) && left-- > 0 ? fault : null;
}

const amount = (of: string) => (of === "all" ? null : Number(of));

/** Acts of a script, some with a value. "!refund" is refused. */
const ACTS: Record<string, (at: Ordered, value: string) => unknown> = {
  refund: ({ refund }, of) => refund(amount(of)),
  "!refund": ({ refund }, of) =>
    expect(refund(amount(of))).rejects.toMatchObject({ code: "ILLEGAL_STEP" }),
  async retry({ admin, show }) {
    await admin().refunds.retry({ refund_id: (await show()).refunds.at(-1)!.id });
  },
  slow: ({ world, page }) => world.control.slowRefunds(page),
  end: ({ world, page }, how) => world.control.endRefund(page, how as "failed"),
  outside: ({ world, page }, of) => world.control.refundOutside(page, amount(of) ?? undefined),
  dispute: ({ world, page }) => world.control.dispute(page),
  close: ({ world, page }, how) => world.control.closeDispute(page, how as "won"),
  balance({ world: { control } }, of) {
    control.faults.balanceMinor = of === "none" ? undefined : Number(of);
  },
  takes({ world: { control } }) {
    control.faults.takesWithoutBalance = true;
  },
  api: ({ world }, how) => fail(world, false, how),
  away: ({ world }, how) => fail(world, true, how),
  wait: ({ world }, hours) => world.clock.advance(Number(hours) * HOUR),
  minutes: (at, n) => later(at, Number(n) * MINUTE),
  hours: (at, n) => later(at, Number(n) * HOUR),
  async told({ world, page }) {
    const { paymentRef } = await world.provider.getCheckout(page);
    const data = { object: { id: "re_1", object: "refund", payment_intent: paymentRef } };
    const { webhooks } = world.process();
    const sent = webhook(world, page, { type: "refund.updated", data });
    await webhooks.process((await webhooks.receive(...sent))!.event);
  },
};

const DECLINED = "expired_or_canceled_card";
const [PAID, BACK] = ["PAID 0", "PAID 1000"];
const ONCE = "refunded 1000";

describe("acts, then refunds, payment, incidents and events", () => {
  test.each<[script: string, refunds: string, payment: string, incidents: string, events: string]>([
    ["refund:1000", "1000 DONE", BACK, "", ONCE],
    [
      "refund:500 refund:500 !refund:2201 refund:all !refund:all",
      ...(["2200 DONE, 500 DONE, 500 DONE", "REFUNDED 3200", ""] as const),
      "refunded 500, refunded 500, refunded 2200",
    ],
    // Slow, and an event only once it arrives; also weeks later.
    ["slow refund:1000", "1000 PENDING processing", PAID, "", ""],
    ["slow refund:1000 end:succeeded hours:6", "1000 DONE", BACK, "", ONCE],
    ["slow refund:1000 end:succeeded told", "1000 DONE", BACK, "", ONCE],
    [
      "refund:all wait:480 end:failed hours:24",
      ...([`3200 FAILED ${DECLINED}`, PAID, "REFUND_FAILED"] as const),
      "refunded 3200, refund_failed 3200",
    ],
    [
      "refund:all wait:480 end:failed hours:24 refund:all",
      ...([`3200 DONE, 3200 FAILED ${DECLINED}`, "REFUNDED 3200", "REFUND_FAILED"] as const),
      "refunded 3200, refund_failed 3200, refunded 3200",
    ],
    [
      "hours:24 hours:48 hours:96 hours:192 hours:384 hours:768 hours:1536 hours:3072 slow refund:all end:failed hours:6",
      ...([`3200 FAILED ${DECLINED}`, PAID, "REFUND_FAILED", "refund_failed 3200"] as const),
    ],
    // The provider's balance.
    ["balance:500 refund:1000 hours:24*5", "1000 PENDING BALANCE", PAID, "REFUND_WAITS", ""],
    [
      "balance:500 refund:1000 hours:24 balance:none hours:24",
      ...(["1000 DONE", BACK, "REFUND_WAITS", ONCE] as const),
    ],
    [
      "balance:500 refund:1000 takes hours:1 !refund:2500",
      ...(["1000 PENDING insufficient_funds", PAID, "REFUND_WAITS", ""] as const),
    ],
    [
      "balance:500 refund:1000 takes hours:1 end:succeeded hours:6",
      ...(["1000 DONE", BACK, "REFUND_WAITS", ONCE] as const),
    ],
    [
      "balance:0 takes refund:all end:failed hours:6 balance:none refund:all",
      `3200 DONE, 3200 FAILED ${DECLINED}`,
      ...(["REFUNDED 3200", "REFUND_FAILED, REFUND_WAITS"] as const),
      "refund_failed 3200, refunded 3200",
    ],
    [
      "balance:500 refund:1000 away:503 hours:24 away:ok hours:24 away:500 hours:24 away:ok hours:24",
      ...(["1000 PENDING BALANCE", PAID, "REFUND_WAITS", ""] as const),
    ],
    // No answer, and answers that are lost: made once, soon after the provider is back.
    ["api:503 refund:all !refund:all", "3200 PENDING NO_ANSWER", PAID, "", ""],
    ["api:503 refund:1000 api:ok retry", "1000 DONE", BACK, "", ONCE],
    ["api:500-once refund:1000", "1000 PENDING FAILED_THERE", PAID, "", ""],
    ["api:500-once refund:1000 minutes:1", "1000 DONE", BACK, "", ONCE],
    ["api:500-done-once refund:1000 minutes:1", "1000 DONE", BACK, "", ONCE],
    [
      "api:503 refund:1000 minutes:1*20 api:500 minutes:1*60 api:ok minutes:15",
      ...(["1000 DONE", BACK, "", ONCE] as const),
    ],
    ["api:lost refund:1000", "1000 PENDING NO_ANSWER", PAID, "", ""],
    ["api:lost refund:1000 api:ok hours:48", "1000 DONE", BACK, "", ONCE],
    // Refunds at the provider.
    ["outside:1000 minutes:61", "1000 DONE", BACK, "REFUNDED_OUTSIDE", ONCE],
    [
      "outside:1000 minutes:61 outside:all minutes:130",
      ...(["1000 DONE, 2200 DONE", "REFUNDED 3200"] as const),
      ...(["REFUNDED_OUTSIDE, REFUNDED_OUTSIDE", "refunded 1000, refunded 2200"] as const),
    ],
    [
      "api:503 refund:200 outside:3000 hours:21 api:ok hours:1",
      ...(["200 DONE, 3000 DONE", "REFUNDED 3200", "REFUNDED_OUTSIDE"] as const),
      "refunded 3000, refunded 200",
    ],
    [
      "outside:3000 refund:2000 hours:6",
      ...(["2000 FAILED amount_too_large, 3000 DONE", "PAID 3000"] as const),
      ...(["REFUNDED_OUTSIDE, REFUND_FAILED", "refund_failed 2000, refunded 3000"] as const),
    ],
    // Disputes, found by asking.
    ["dispute minutes:61", "", "DISPUTED 0", "DISPUTED", "disputed 3200"],
    [
      "dispute minutes:61 close:won minutes:361",
      ...(["", PAID, "DISPUTED", "disputed 3200, dispute_closed 3200"] as const),
    ],
    [
      "dispute minutes:61 close:lost minutes:361 !refund:100",
      ...(["", "DISPUTED 0", "DISPUTED, DISPUTE_LOST"] as const),
      "disputed 3200, dispute_closed 3200",
    ],
    [
      "hours:960 dispute told away:503 hours:6 away:ok close:won hours:6",
      ...(["", PAID, "DISPUTED", "disputed 3200, dispute_closed 3200"] as const),
    ],
    ["dispute refund:1000", "1000 PENDING DISPUTED", PAID, "", ""],
    [
      "dispute refund:1000 close:won hours:6*4",
      ...(["1000 DONE", BACK, "DISPUTED"] as const),
      "disputed 3200, dispute_closed 3200, refunded 1000",
    ],
    [
      "dispute refund:1000 close:lost hours:6*4",
      ...(["1000 CANCELED dispute_lost", "DISPUTED 0", "DISPUTED, DISPUTE_LOST"] as const),
      "disputed 3200, dispute_closed 3200",
    ],
    [
      "refund:1000 dispute close:lost hours:6 !refund:all !refund:100",
      ...(["1000 DONE", "DISPUTED 1000", "DISPUTED, DISPUTE_LOST"] as const),
      "refunded 1000, disputed 2200, dispute_closed 2200",
    ],
    // The dispute covers the rest; then the first refund fails, and its money is with the shop.
    [
      "refund:1000 dispute end:failed close:lost hours:6 refund:1000",
      `1000 FAILED dispute_lost, 1000 FAILED ${DECLINED}`,
      ...(["DISPUTED 0", "DISPUTED, DISPUTE_LOST, REFUND_FAILED, REFUND_FAILED"] as const),
      "refunded 1000, disputed 2200, dispute_closed 2200, refund_failed 1000, refund_failed 1000",
    ],
  ])("%s: %s", async (script, refunds, payment, incidents, events) => {
    // A busy machine may answer slowly, so only a script that loses answers gives up on them soon.
    const at = await ordered(script.includes("api:lost") ? { timeoutMs: 500 } : {});
    for (const word of script.split(" ")) {
      const [act = "", value = "", times = 1] = word.split(/[:*]/);
      for (let i = 0; i < Number(times); i++) await ACTS[act]!(at, value);
    }
    const { status, refunded_minor } = (await at.show()).payment;
    expect({
      refunds: await at.refunds(),
      payment: `${status} ${refunded_minor}`,
      incidents: (await at.world.incidents()).toSorted().join(", "),
      events: await at.events(),
    }).toEqual({ refunds, payment, incidents, events });
    const arrived = (await readBooks(at.world.store)).refunds.filter(
      (row) => row.status === "DONE",
    );
    const sum = arrived.reduce((minor, row) => minor + row.amount_minor, 0);
    // A pending refund may have arrived without its answer.
    if (/PENDING/.test(refunds)) return;
    expect(await at.world.problems()).toEqual([]);
    expect(arrivedMinor(await at.world.provider.getCheckout(at.page))).toBe(sum);
  });
});

it.each([
  ["a process that died", Crash],
  ["a process that got no answer", ProviderUnavailable],
])("a refund made by %s is found by our id, not made twice", async (_, Failure) => {
  const { world, page, id, refunds } = await ordered();
  const { provider } = world;
  const failing = async (...wanted: Parameters<typeof provider.refund>) => {
    await provider.refund(...wanted);
    throw new Failure("after the refund");
  };
  const { orders } = world.process({ provider: { ...provider, refund: failing } }).admin("cli");
  await orders.refund({ order_id: id, amount_minor: 1000, again: true });
  world.clock.advance(48 * HOUR);
  // Neither the key nor a check of the payment helps: only the search for the refund does.
  const getCheckout = () => Promise.reject(new ProviderUnavailable("away"));
  const refund = () => Promise.reject(new Error("requested again"));
  await world.process({ provider: { ...provider, getCheckout, refund } }).reconciler.run();
  expect(await refunds()).toBe("1000 DONE");
  expect(arrivedMinor(await world.provider.getCheckout(page))).toBe(1000);
  expect(await world.problems()).toEqual([]);
});

it("a refund of a shipment counts for it while it is under way or done, not once it failed", async () => {
  const at = await ordered();
  const back = async () => (await at.show()).shipments.map((row) => row.refunded_minor);
  const [shipment] = (await at.show()).shipments;
  const shipment_ids = [shipment!.id];
  await ACTS.slow!(at, "");
  await at
    .admin()
    .orders.refund({ order_id: at.id, amount_minor: 1000, shipment_ids, again: true });
  expect(await back()).toEqual([1000]);
  await ACTS.end!(at, "failed");
  await later(at, 6 * HOUR);
  expect(await at.refunds()).toBe(`1000 FAILED ${DECLINED}`);
  expect(await back()).toEqual([0]);
});
