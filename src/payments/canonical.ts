/**
 * Carts that between them use every field we ever send: checked against Stripe's own types in the
 * tests and against Stripe itself by `npm run verify:stripe`. Minor units of usd.
 */
import { HOUR_MS, iso, TIMES } from "../domain/shared/policy.ts";
import type { CheckoutRequest } from "./provider.ts";

interface CanonicalCart {
  name: string;
  lines: [name: string, quantity: number, unitMinor: number][];
  paidAddresses?: number;
  courtesy?: CheckoutRequest["courtesy"];
}

const SHIPPING_MINOR = 1000;

const HOUSE = ["House Blend", 2200] as const;
const FOUR: CanonicalCart["lines"] = [
  [HOUSE[0], 2, HOUSE[1]],
  ["Decaf", 1, 2400],
  ["Single Origin", 3, 2600],
  ["Geisha", 1, 9900],
];

const CARTS: CanonicalCart[] = [
  { name: "1 bag", lines: [[HOUSE[0], 1, HOUSE[1]]], paidAddresses: 1 },
  { name: "free shipping", lines: [[HOUSE[0], 2, HOUSE[1]]] },
  { name: "24 addresses", lines: [[HOUSE[0], 24, HOUSE[1]]], paidAddresses: 24 },
  {
    name: "first-order courtesy",
    lines: [[HOUSE[0], 1, HOUSE[1]]],
    paidAddresses: 1,
    courtesy: { kind: "FIRST_ORDER", amountMinor: 440 },
  },
  {
    name: "spend courtesy, 250 bags",
    lines: [[HOUSE[0], 250, HOUSE[1]]],
    courtesy: { kind: "SPEND", amountMinor: 110_000 },
  },
  {
    name: "every line there can be",
    lines: FOUR,
    paidAddresses: 2,
    courtesy: { kind: "FIRST_ORDER", amountMinor: 1000 },
  },
];

export interface CanonicalSettings {
  /** Milliseconds; the sessions run for an hour from here. */
  now: number;
  /** Makes ids, and so idempotency keys, new for every run. */
  run: string;
  baseUrl: string;
}

function request(cart: CanonicalCart, index: number, settings: CanonicalSettings): CheckoutRequest {
  const { now, run, baseUrl } = settings;
  const paidAddresses = cart.paidAddresses ?? 0;
  const bags = cart.lines.reduce((sum, [, quantity, unit]) => sum + quantity * unit, 0);
  const courtesy = cart.courtesy ?? null;
  return {
    attemptId: `att_${run}_${index}`,
    quoteId: `qte_${run}_${index}`,
    quoteHash: `sha256:${String(index).repeat(64)}`,
    totalMinor: bags + paidAddresses * SHIPPING_MINOR - (courtesy?.amountMinor ?? 0),
    buyerEmail: "buyer@example.com",
    lines: cart.lines.map(([name, quantity, unitMinor]) => ({ name, quantity, unitMinor })),
    shipping: paidAddresses > 0 ? { paidAddresses, unitMinor: SHIPPING_MINOR } : null,
    courtesy,
    expiresAt: now + HOUR_MS,
    heldUntil: iso(now + TIMES.unpaid_hold_ms),
    returnUrl: `${baseUrl}/review/verify?from=checkout`,
    cancelUrl: `${baseUrl}/review/verify`,
  };
}

export function canonicalRequests(settings: CanonicalSettings) {
  return CARTS.map((cart, i) => ({ name: cart.name, request: request(cart, i, settings) }));
}
