/** The sandbox reports every payment as the Stripe adapter does, from the same acts of buyer, shop and bank. */
import { describe, expect, it, onTestFinished, test } from "vitest";
import { insert } from "../../src/core/command.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import {
  BadSignature,
  type PaymentProvider,
  type ProviderEvent,
} from "../../src/payments/provider.ts";
import { openSandbox, type Sandbox } from "../../src/payments/sandbox/sandbox.ts";
import { write } from "../db/rules.ts";
import { emulatorProvider, startEmulator } from "../stripe/emulator.ts";
import { newHttpFaults } from "../stripe/faults.ts";
import { BASE_URL, cart, collect, DECLINED, NOW, THREE_DS, VISA } from "../stripe/harness.ts";
import { type SandboxControl, sandboxControl } from "../support/sandbox-control.ts";
import { usualStore } from "../support/stores.ts";

const DAY = 86_400_000;
const HALF_MINUTE = 30_000;
const METHODS = { paymentMethods: ["card", "us_bank_account"] };
const SECRET = "whsec_shared";

interface Payment {
  provider: PaymentProvider;
  buyer: Sandbox["buyer"];
  control: Omit<SandboxControl, "faults">;
  id: string;
  ref: string;
  pass(ms: number): void;
}

type Story = (payment: Payment) => Promise<unknown>;

const paid: Story = ({ buyer, id }) => buyer.pay(id, VISA);
const captured: Story = async (p) => {
  await paid(p);
  await p.provider.captureCheckout(p.id, p.ref);
};
const part = (key: string, amountMinor: number) => ({
  idempotencyKey: key,
  refundId: `rf_${key}` as const,
  amountMinor,
});

/** Each story, and how it ends: outcome, state and refunds, then the events that the sandbox sends. */
const STORIES: [name: string, ends: string, Story][] = [
  ["nothing", "open unpaid:", async () => {}],
  ["approved", "paid complete authorized 3200 card: completed", paid],
  [
    "paid twice",
    "already_paid complete authorized 3200 card: completed",
    async (p) => [await paid(p), await paid(p)],
  ],
  [
    "declined",
    "declined open unpaid declined card: payment_failed",
    ({ buyer, id }) => buyer.pay(id, DECLINED),
  ],
  [
    "a number that is no test card",
    "declined open unpaid:",
    ({ buyer, id }) => buyer.pay(id, "4111111111111111"),
  ],
  [
    "declined, then approved",
    "paid complete authorized 3200 card: payment_failed completed",
    async (p) => [await p.buyer.pay(p.id, DECLINED), await paid(p)],
  ],
  ["3-D Secure asked", "challenge open unpaid:", ({ buyer, id }) => buyer.pay(id, THREE_DS)],
  [
    "3-D Secure approved",
    "paid complete authorized 3200 card: completed",
    async ({ buyer, id }) => [
      await buyer.pay(id, THREE_DS),
      await buyer.completeChallenge(id, true),
    ],
  ],
  [
    "3-D Secure refused, then approved",
    "declined open unpaid declined card: payment_failed",
    async ({ buyer, id }) => [
      await buyer.pay(id, THREE_DS),
      await buyer.completeChallenge(id, false),
      await buyer.completeChallenge(id, true),
    ],
  ],
  [
    "a bank debit after a 3-D Secure challenge",
    "processing complete processing us_bank_account: completed",
    async ({ buyer, id }) => [await buyer.pay(id, THREE_DS), await buyer.pay(id, "bank_debit")],
  ],
  ["captured", "complete paid 3200 card: completed succeeded", captured],
  [
    "captured twice",
    "complete paid 3200 card: completed succeeded",
    async (p) => [await captured(p), await p.provider.captureCheckout(p.id, p.ref)],
  ],
  [
    "released",
    "complete canceled card: completed canceled",
    async (p) => {
      await paid(p);
      // The answer itself does not tell where the buyer returns to.
      const { returnUrl: _, ...told } = await p.provider.releaseCheckout(p.id, p.ref);
      return told;
    },
  ],
  [
    "released, then captured and paid again",
    "expired complete canceled card: completed canceled",
    async (p) => {
      await paid(p);
      await p.provider.releaseCheckout(p.id, p.ref);
      await p.provider.captureCheckout(p.id, p.ref);
      return [await paid(p)];
    },
  ],
  [
    "captured, not released",
    "complete paid 3200 card: completed succeeded",
    async (p) => [await captured(p), await p.provider.releaseCheckout(p.id, p.ref)],
  ],
  [
    "captured in part at the dashboard, then refunded",
    "complete paid 1000 card -1000: completed succeeded refund.created",
    async (p) => {
      await paid(p);
      await p.control.captureOutside(p.id, 1000);
      return p.provider.refund(p.ref, { idempotencyKey: "all", refundId: "rf_all" });
    },
  ],
  [
    "canceled at the dashboard",
    "complete canceled card: completed canceled",
    async (p) => [await paid(p), await p.control.cancelOutside(p.id)],
  ],
  [
    "almost lapsed",
    "complete authorized 3200 card: completed",
    async (p) => [await paid(p), p.pass(7 * DAY - 1)],
  ],
  [
    "lapsed",
    "complete canceled card: completed canceled",
    async (p) => [await paid(p), p.pass(7 * DAY)],
  ],
  ["closed", "expired unpaid: expired", ({ provider, id }) => provider.expireCheckout(id)],
  [
    "closed after payment",
    "complete authorized 3200 card: completed",
    async (p) => [await paid(p), await p.provider.expireCheckout(p.id)],
  ],
  ["expired", "expired expired unpaid: expired", async (p) => [p.pass(DAY), await paid(p)]],
  [
    "a bank debit, which waits for no capture",
    "complete processing us_bank_account: completed",
    async (p) => [
      await p.buyer.pay(p.id, "bank_debit"),
      p.pass(HALF_MINUTE - 1),
      await p.provider.captureCheckout(p.id, p.ref),
    ],
  ],
  [
    "a bank debit half a minute later",
    "complete paid 3200 us_bank_account: completed async_payment_succeeded",
    async ({ buyer, id, pass }) => [await buyer.pay(id, "bank_debit"), pass(HALF_MINUTE)],
  ],
  [
    "a bank debit that failed, then a card",
    "expired complete unpaid failed us_bank_account: completed async_payment_failed",
    async (p) => {
      await p.buyer.pay(p.id, "bank_debit");
      await p.control.settleBankDebit(p.id, false);
      return [await paid(p)];
    },
  ],
  [
    "refunds with a repeated key, and one that is too large",
    "amount_too_large complete paid 3200 card -1200 -1200: completed succeeded refund.created refund.created",
    async (p) => {
      await captured(p);
      for (const key of ["one", "one", "two"]) await p.provider.refund(p.ref, part(key, 1200));
      return p.provider.refund(p.ref, part("three", 801));
    },
  ],
  [
    "a refund of an authorized payment",
    "payment_intent_unexpected_state complete authorized 3200 card: completed",
    async (p) => [await paid(p), await p.provider.refund(p.ref, part("early", 100))],
  ],
  [
    "refunded, then again",
    "charge_already_refunded complete paid 3200 card -3200: completed succeeded refund.created",
    async (p) => {
      await captured(p);
      await p.provider.refund(p.ref, { idempotencyKey: "all", refundId: "rf_all" });
      return p.provider.refund(p.ref, { idempotencyKey: "more", refundId: "rf_more" });
    },
  ],
];

async function memory(): Promise<Store> {
  const store = await openSqlite({ file: ":memory:" });
  onTestFinished(() => store.close());
  return store;
}

/** A sandbox over a store, with the events that it told. */
function sandboxOver(
  store: Store,
  clock: { now: number },
  paymentMethods = METHODS.paymentMethods,
) {
  const told: ProviderEvent[] = [];
  const now = () => clock.now;
  const nudge = async (event: ProviderEvent) => void told.push(event);
  const own = openSandbox({
    ...{ store, baseUrl: BASE_URL, secret: SECRET, clock: now, nudge, paymentMethods },
  });
  return { ...own, told, control: sandboxControl(own, newHttpFaults(), now) };
}

async function emulated(clock: { now: number }) {
  const emulator = await startEmulator({
    ...{ store: await memory(), baseUrl: BASE_URL, clock: () => clock.now },
    ...{ webhookUrl: "http://127.0.0.1:1/", webhookSecret: SECRET },
  });
  onTestFinished(emulator.close);
  const control = sandboxControl(emulator, newHttpFaults(), () => clock.now);
  return { ...emulator, control, provider: emulatorProvider(emulator, METHODS) };
}

type At = Pick<Payment, "provider" | "buyer" | "control">;

/** How a story ends: the last act's answer or error, and all that the provider tells. */
async function ending({ provider, buyer, control }: At, clock: { now: number }, story: Story) {
  const { sessionId: id } = await provider.createCheckout(cart());
  const ref = id.replace("cs_test_", "pi_");
  const pass = (ms: number) => {
    clock.now += ms;
  };
  const payment = { provider, buyer, control, id, ref, pass };
  const last = await story(payment).catch(({ name, code, why }) => ({ name, code, why }));
  return {
    last,
    state: await provider.getCheckout(id),
    again: await provider.createCheckout(cart()),
    byPayment: await provider.findByPayment(ref),
    refunds: await provider.listRefunds(ref),
    listed: await collect(provider.listCheckouts(0)),
  };
}

type Ending = Awaited<ReturnType<typeof ending>>;

function inShort({ last, state }: Ending, told: readonly ProviderEvent[]): string {
  const { status, payment, failed, declined, amountMinor, method, refunds } = state;
  const act = [last].flat().at(-1) as { outcome?: string; code?: string } | undefined;
  const flags = [failed && "failed", declined && "declined"];
  const back = refunds.map((refund) => `-${refund.amountMinor}`);
  const words = [act?.outcome, act?.code, status, payment, ...flags, amountMinor, method, ...back];
  const events = told.map(({ type }) => type.replace(/^(checkout\.session|payment_intent)\./, ""));
  return [`${words.filter(Boolean).join(" ")}:`, ...events].join(" ");
}

it.each(STORIES)("%s", async (_, ends, story) => {
  const clocks = [{ now: NOW }, { now: NOW }] as const;
  const sandbox = sandboxOver(await memory(), clocks[0]);
  const own = await ending(sandbox, clocks[0], story);
  const stripes = await ending(await emulated(clocks[1]), clocks[1], story);
  expect(own).toEqual(stripes);
  expect(inShort(own, sandbox.told)).toBe(ends);
});

test.each(["first-order courtesy", "every line there can be"])(
  "%s costs the same",
  async (name) => {
    const clock = { now: NOW };
    const request = cart({}, name);
    const { provider } = sandboxOver(await memory(), clock);
    const own = await provider.createCheckout(request);
    expect(own.totalMinor).toBe(request.totalMinor);
    const { provider: stripes } = await emulated(clock);
    expect(own).toEqual(await stripes.createCheckout(request));
  },
);

describe("the sandbox alone", () => {
  test("sessions and payments that it does not know", async () => {
    const { provider } = sandboxOver(await memory(), { now: NOW });
    const missing = { name: "ProviderRejected", code: "resource_missing" };
    await expect(provider.getCheckout("cs_test_none")).rejects.toMatchObject(missing);
    await expect(provider.expireCheckout("cs_test_none")).rejects.toMatchObject(missing);
    await expect(provider.refund("pi_none", part("x", 1))).rejects.toMatchObject(missing);
    expect(await provider.findByPayment("pi_none")).toBeNull();
    expect(await provider.listRefunds("pi_none")).toEqual([]);
  });

  test("lines that do not add up to the quote are refused, and no page opens", async () => {
    const { provider } = sandboxOver(await memory(), { now: NOW });
    const wrong = provider.createCheckout(cart({ totalMinor: 3199 }));
    await expect(wrong).rejects.toMatchObject({ name: "ProviderRejected", code: "mismatch" });
    expect(await collect(provider.listCheckouts(0))).toEqual([]);
  });

  test("the page shows lines, discount and buyer, leads back to the shop, and stores no real card", async () => {
    const store = await memory();
    const { provider, buyer } = sandboxOver(store, { now: NOW });
    const request = cart({}, "every line there can be");
    const { sessionId, url } = await provider.createCheckout(request);
    expect(url).toBe(`http://127.0.0.1:3000/sandbox/checkout/${sessionId}`);
    const real = "4111111111111111";
    await buyer.pay(sessionId, real);
    const view = await buyer.view(sessionId);
    expect(view).toMatchObject({
      ...{ status: "open", amountMinor: request.totalMinor, discountMinor: 1000 },
      ...{ email: "buyer@example.com", awaiting3ds: false },
      ...{ cancelUrl: cart().cancelUrl, successUrl: cart().returnUrl },
      lastError: expect.stringMatching(/test cards/),
    });
    expect(view?.lines).toHaveLength(5);
    const shipping = { name: "Shipping, $10.00 per address", quantity: 2, amountMinor: 2000 };
    expect(view?.lines.at(-1)).toEqual(shipping);
    expect(view?.methods.map(({ value }) => value)).toContain("bank_debit");
    expect((await store.queries.sandboxObject(sessionId))?.body).not.toContain(real);
    expect((await buyer.pay(sessionId, VISA))?.redirectTo).toBe(cart().returnUrl);
  });

  test("a session of cards only offers no bank debit, and an unknown one has no page", async () => {
    const { store } = await usualStore();
    onTestFinished(() => store.close());
    const { provider, buyer } = sandboxOver(store, { now: NOW }, ["card"]);
    const { sessionId } = await provider.createCheckout(cart());
    const view = await buyer.view(sessionId);
    expect(view?.methods.map(({ value }) => value)).not.toContain("bank_debit");
    expect((await buyer.pay(sessionId, "bank_debit"))?.outcome).toBe("declined");
    const other = { id: "coupon_of_0.3.0", kind: "coupon", body: "{}", version: 1, created_at: 0 };
    await store.run(write, [insert("sandbox", other)]);
    for (const id of ["cs_test_none", other.id]) {
      expect([await buyer.view(id), await buyer.pay(id, VISA)]).toEqual([null, null]);
    }
  });

  test("a webhook from outside is refused", async () => {
    const { provider } = sandboxOver(await memory(), { now: NOW });
    expect(() => provider.verifyWebhook(Buffer.from("{}"), "t=1,v1=00")).toThrow(BadSignature);
  });

  test("a hundred clicks on Pay, in two processes, are one payment and one event", async () => {
    const { store } = await usualStore();
    onTestFinished(() => store.close());
    const both = [sandboxOver(store, { now: NOW }), sandboxOver(store, { now: NOW })];
    const pages = await Promise.all(both.map(({ provider }) => provider.createCheckout(cart())));
    expect(pages[0]).toEqual(pages[1]);
    const { sessionId } = pages[0]!;
    const click = (_: unknown, i: number) => both[i % 2]!.buyer.pay(sessionId, VISA);
    const clicks = await Promise.all(Array.from({ length: 100 }, click));
    expect(clicks.filter((one) => one?.outcome === "paid")).toHaveLength(1);
    expect(clicks.filter((one) => one?.outcome === "already_paid")).toHaveLength(99);
    const told = both.flatMap((one) => one.told);
    expect(told).toMatchObject([{ type: "checkout.session.completed", sessionId }]);
  });

  test("the clock ends pages and debits of any process, each with one event", async () => {
    const clock = { now: NOW };
    const store = await memory();
    const first = sandboxOver(store, clock);
    const { sessionId: open } = await first.provider.createCheckout(cart());
    const debit = await first.provider.createCheckout(cart({ attemptId: "pay_debit" }));
    await first.buyer.pay(debit.sessionId, "bank_debit");
    clock.now += DAY;
    const second = sandboxOver(store, clock);
    await second.tick();
    await second.tick();
    const types = second.told.map(({ type, sessionId }) => [sessionId, type]);
    expect(Object.fromEntries(types)).toEqual({
      [open]: "checkout.session.expired",
      [debit.sessionId]: "checkout.session.async_payment_succeeded",
    });
    expect(types).toHaveLength(2);
  });

  test("a page and a payment that 0.3.0 stored can be paid and refunded", async () => {
    const clock = { now: NOW };
    const store = await memory();
    const old = { ...STORED_BY_0_3_0, expiresAt: NOW + DAY };
    const rows = [
      { ...old, id: "cs_test_open", status: "open", payment: "unpaid", method: null },
      {
        ...{ ...old, id: "cs_test_paid", status: "complete", payment: "paid", method: "card" },
        refunds: [REFUNDED_BY_0_3_0],
      },
    ];
    await store.run(
      write,
      rows.map((row) => {
        const kind = row.status === "open" ? "session_live" : "session";
        const body = JSON.stringify(row);
        return insert("sandbox", { id: row.id, kind, body, version: 3, created_at: NOW });
      }),
    );
    const { provider, buyer } = sandboxOver(store, clock);
    expect(await buyer.view("cs_test_open")).toMatchObject({ amountMinor: 3200, status: "open" });
    expect(await buyer.pay("cs_test_open", VISA)).toMatchObject({ outcome: "paid" });
    const approved = await provider.captureCheckout("cs_test_open", "pi_open");
    expect(approved).toMatchObject({ payment: "paid", attemptId: "pay_old", quoteHash: "hash" });
    expect((await provider.refund("pi_paid", part("new", 2000))).status).toBe("succeeded");
    expect(await provider.listRefunds("pi_paid")).toMatchObject([
      { refundId: "rf_old", amountMinor: 1200, status: "succeeded" },
      { refundId: "rf_new", amountMinor: 2000, status: "succeeded" },
    ]);
  });
});

const REFUNDED_BY_0_3_0 = {
  ...{ id: "re_old", amountMinor: 1200, createdAt: NOW, status: "succeeded", reason: null },
  metadata: { refund_id: "rf_old" },
};

/** The stored form of a session, without what differs between two of them. */
const STORED_BY_0_3_0 = {
  params: {
    expand: true,
    client_reference_id: "pay_old",
    customer_email: "buyer@example.com",
    line_items: [
      { quantity: 1, price_data: { unit_amount: 2200, product_data: { name: "Kenya Nyeri" } } },
      { quantity: 1, price_data: { unit_amount: 1000, product_data: { name: "Shipping" } } },
    ],
    allowed_payment_method_types: ["card", "link"],
    payment_method_options: { card: { capture_method: "manual" } },
    custom_text: { submit: { message: "You approve exactly $32.00." } },
    metadata: { quote_id: "qte_old", quote_hash: "hash", attempt_id: "pay_old", mode: "sandbox" },
    success_url: `${BASE_URL}/review/old`,
    cancel_url: `${BASE_URL}/review/old`,
  },
  createdAt: NOW,
  discountMinor: 0,
  totalMinor: 3200,
  lastError: null,
  awaiting3ds: false,
  authorizedUntil: null,
  settlesAt: null,
  refunds: [],
  disputes: [],
};
