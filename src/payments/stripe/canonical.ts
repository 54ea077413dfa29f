/**
 * Carts that together use every field we send. Tests check them against Stripe's types, and
 * `npm run verify:stripe` against Stripe itself. Minor units of usd.
 */
import { sum } from "../../core/money.ts";
import { HOUR_MS } from "../../core/policy.ts";
import type { CheckoutRequest } from "../provider.ts";

interface CanonicalCart extends Pick<CheckoutRequest, "lines"> {
  name: string;
  paidAddresses?: number;
  courtesy?: CheckoutRequest["courtesy"];
}

const SHIPPING_MINOR = 1000;

const house = (quantity: number) => ({ name: "House Blend", quantity, unitMinor: 2200 });

const CARTS: CanonicalCart[] = [
  { name: "1 bag", lines: [house(1)], paidAddresses: 1 },
  { name: "free shipping", lines: [house(2)] },
  { name: "24 addresses", lines: [house(24)], paidAddresses: 24 },
  {
    name: "first-order courtesy",
    lines: [house(1)],
    paidAddresses: 1,
    courtesy: { kind: "FIRST_ORDER", amountMinor: 440 },
  },
  {
    name: "spend courtesy, 250 bags",
    lines: [house(250)],
    courtesy: { kind: "SPEND", amountMinor: 110_000 },
  },
  {
    name: "every line there can be",
    lines: [
      house(2),
      { name: "Decaf", quantity: 1, unitMinor: 2400 },
      { name: "Single Origin", quantity: 3, unitMinor: 2600 },
      { name: "Geisha", quantity: 1, unitMinor: 9900 },
    ],
    paidAddresses: 2,
    courtesy: { kind: "FIRST_ORDER", amountMinor: 1000 },
  },
];

interface CanonicalSettings {
  /** Start of the sessions, which run for an hour, in milliseconds. */
  now: number;
  /** Part of all ids and idempotency keys, new for every run. */
  run: string;
  baseUrl: string;
}

export const canonicalRequests = ({ now, run, baseUrl }: CanonicalSettings) =>
  CARTS.map(({ name, lines, paidAddresses = 0, courtesy = null }, i) => {
    const bags = sum(lines.map(({ quantity, unitMinor }) => quantity * unitMinor));
    const request: CheckoutRequest = {
      attemptId: `att_${run}_${i}`,
      quoteId: `qte_${run}_${i}`,
      quoteHash: `sha256:${String(i).repeat(64)}`,
      totalMinor: bags + paidAddresses * SHIPPING_MINOR - (courtesy?.amountMinor ?? 0),
      buyerEmail: "buyer@example.com",
      lines,
      shipping: paidAddresses > 0 ? { paidAddresses, unitMinor: SHIPPING_MINOR } : null,
      courtesy,
      expiresAt: now + HOUR_MS,
      returnUrl: `${baseUrl}/review/verify?from=checkout`,
      cancelUrl: `${baseUrl}/review/verify`,
    };
    return { name, request };
  });
