/** The sandbox reports every payment as the Stripe adapter does, from the same acts of buyer, shop and bank. */
import { describe, expect, it, onTestFinished, test } from "vitest";
import { insert } from "../../src/core/command.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import {
  BadSignature,
  type CheckoutState,
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

const part = (key: string, amountMinor?: number) => ({
  ...{ idempotencyKey: key, refundId: `rf_${key}` as const },
  ...(amountMinor && { amountMinor }),
});

/** The answer of a call does not always tell where the buyer returns to. */
async function withoutReturn(answer: Promise<CheckoutState>): Promise<object> {
  const { returnUrl: _, ...told } = await answer;
  return told;
}

/** Acts of buyer, shop, bank and clock; some with values. */
const ACTS: Record<string, (p: Payment, value: string, more: string) => unknown> = {
  pay: ({ buyer, id }, card) => buyer.pay(id, CARDS[card] ?? card),
  challenge: ({ buyer, id }, ok) => buyer.completeChallenge(id, ok === "yes"),
  capture: ({ provider, id, ref }) => withoutReturn(provider.captureCheckout(id, ref)),
  release: ({ provider, id, ref }) => withoutReturn(provider.releaseCheckout(id, ref)),
  close: ({ provider, id }) => provider.expireCheckout(id),
  captureOutside: ({ control, id }, minor) => control.captureOutside(id, Number(minor)),
  cancelOutside: ({ control, id }) => control.cancelOutside(id),
  bounce: ({ control, id }) => control.settleBankDebit(id, false),
  pass: ({ pass }, ms) => pass(Number(ms)),
  refund: ({ provider, ref }, key, minor) => provider.refund(ref, part(key, Number(minor))),
};
const CARDS: Record<string, string> = {
  ...{ visa: VISA, declined: DECLINED, "3ds": THREE_DS, debit: "bank_debit" },
};

/** Acts, and how they end: outcome, state and refunds, then the events that the sandbox sends. */
const STORIES: [acts: string, ends: string][] = [
  ["", "open unpaid:"],
  ["pay:visa", "paid complete authorized 3200 card: completed"],
  ["pay:visa pay:visa", "already_paid complete authorized 3200 card: completed"],
  ["pay:declined", "declined open unpaid declined card: payment_failed"],
  ["pay:4111111111111111", "declined open unpaid:"],
  ["pay:declined pay:visa", "paid complete authorized 3200 card: payment_failed completed"],
  ["pay:3ds", "challenge open unpaid:"],
  ["pay:3ds challenge:yes", "paid complete authorized 3200 card: completed"],
  ["pay:3ds challenge:no", "declined open unpaid declined card: payment_failed"],
  ["pay:3ds challenge:no challenge:yes", "declined open unpaid declined card: payment_failed"],
  ["pay:3ds pay:debit", "processing complete processing us_bank_account: completed"],
  ["pay:visa capture", "complete paid 3200 card: completed succeeded"],
  ["pay:visa capture capture", "complete paid 3200 card: completed succeeded"],
  ["pay:visa release", "complete canceled card: completed canceled"],
  ["pay:visa release capture pay:visa", "expired complete canceled card: completed canceled"],
  ["pay:visa capture release", "complete paid 3200 card: completed succeeded"],
  [
    "pay:visa captureOutside:1000 refund:all",
    "complete paid 1000 card -1000: completed succeeded refund.created",
  ],
  ["pay:visa cancelOutside", "complete canceled card: completed canceled"],
  // An authorization lapses after seven days.
  ["pay:visa pass:604799999", "complete authorized 3200 card: completed"],
  ["pay:visa pass:604800000", "complete canceled card: completed canceled"],
  ["close", "expired unpaid: expired"],
  ["pay:visa close", "complete authorized 3200 card: completed"],
  ["pass:86400000 pay:visa", "expired expired unpaid: expired"],
  // A debit waits for no capture, and settles after half a minute.
  ["pay:debit", "processing complete processing us_bank_account: completed"],
  ["pay:debit pass:29999 capture", "complete processing us_bank_account: completed"],
  ["pay:debit pass:30000", "complete paid 3200 us_bank_account: completed async_payment_succeeded"],
  [
    "pay:debit bounce pay:visa",
    "expired complete unpaid failed us_bank_account: completed async_payment_failed",
  ],
  [
    "pay:visa capture refund:one:1200 refund:one:1200 refund:two:1200 refund:three:801",
    "amount_too_large complete paid 3200 card -1200 -1200: completed succeeded refund.created refund.created",
  ],
  [
    "pay:visa refund:early:100",
    "payment_intent_unexpected_state complete authorized 3200 card: completed",
  ],
  [
    "pay:visa capture refund:all refund:more",
    "charge_already_refunded complete paid 3200 card -3200: completed succeeded refund.created",
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
async function ending({ provider, buyer, control }: At, clock: { now: number }, acts: string) {
  const { sessionId: id } = await provider.createCheckout(cart());
  const ref = id.replace("cs_test_", "pi_");
  const pass = (ms: number) => {
    clock.now += ms;
  };
  const payment = { provider, buyer, control, id, ref, pass };
  let last: unknown;
  for (const word of acts.split(" ").filter(Boolean)) {
    const [act = "", value = "", more = ""] = word.split(":");
    const acting = (async () => ACTS[act]!(payment, value, more))();
    last = await acting.catch(({ name, code, why }) => ({ name, code, why }));
  }
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
  const act = (last ?? {}) as { outcome?: string; code?: string };
  const flags = [failed && "failed", declined && "declined"];
  const back = refunds.map((refund) => `-${refund.amountMinor}`);
  const words = [act.outcome, act.code, status, payment, ...flags, amountMinor, method, ...back];
  const events = told.map(({ type }) => type.replace(/^(checkout\.session|payment_intent)\./, ""));
  return [`${words.filter(Boolean).join(" ")}:`, ...events].join(" ");
}

it.each(STORIES)("%s: %s", async (acts, ends) => {
  const clocks = [{ now: NOW }, { now: NOW }] as const;
  const sandbox = sandboxOver(await memory(), clocks[0]);
  const own = await ending(sandbox, clocks[0], acts);
  const stripes = await ending(await emulated(clocks[1]), clocks[1], acts);
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
