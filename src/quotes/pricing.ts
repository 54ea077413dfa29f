import { type Minor, sum } from "../core/money.ts";
import { FIRST_ORDER, SPEND } from "../core/policy.ts";
import type { Shop } from "../core/shop.ts";

/** The shop's shipping prices. */
type ShippingPrice = Pick<Shop, "shipping_per_address_minor" | "free_shipping_from_minor">;

/** Shipments with the same `addressKey` go to one address and share its shipping. */
export interface PricedShipment {
  addressKey: string;
  lines: readonly { unitMinor: Minor; quantity: number }[];
}

export type Price = ReturnType<typeof price>;

interface Courtesy {
  kind: "FIRST_ORDER" | "SPEND";
  amountMinor: Minor;
}

/**
 * The whole price of an order (contract §2): lines → subtotal per address → shipping, before any
 * courtesy → one courtesy → its allocation → total. `firstOrder`: the first-order code was sent and may
 * be used. The spend courtesy replaces it from $500.
 */
export function price(
  shipments: readonly PricedShipment[],
  { shop, firstOrder }: { shop: ShippingPrice; firstOrder: boolean },
) {
  const lineTotals = shipments.map((s) => s.lines.map((l) => l.unitMinor * l.quantity));
  const subtotals = lineTotals.map(sum);
  const shipping = shippingPerShipment(shipments, subtotals, shop);
  const subtotalMinor = sum(subtotals);
  const courtesy = chooseCourtesy(subtotalMinor, firstOrder);
  const shares = allocate(courtesy?.amountMinor ?? 0, lineTotals.flat());
  let next = 0;
  const priced = lineTotals.map((totals, i) => {
    const lines = totals.map((totalMinor) => ({ totalMinor, courtesyMinor: shares[next++]! }));
    const courtesyMinor = sum(lines.map((l) => l.courtesyMinor));
    return { lines, subtotalMinor: subtotals[i]!, shippingMinor: shipping[i]!, courtesyMinor };
  });
  const shippingMinor = sum(shipping);
  return {
    shipments: priced,
    subtotalMinor,
    courtesy,
    shippingMinor,
    totalMinor: subtotalMinor + shippingMinor - (courtesy?.amountMinor ?? 0),
  };
}

/**
 * Shipping for one address, in minor units of usd. Free from the shop's bound of coffee, counted before
 * any courtesy (contract §2).
 */
function shippingMinor(addressSubtotalMinor: Minor, shop: ShippingPrice): Minor {
  return addressSubtotalMinor >= shop.free_shipping_from_minor
    ? 0
    : shop.shipping_per_address_minor;
}

/** The first shipment to an address carries its shipping, the others 0. */
function shippingPerShipment(
  shipments: readonly PricedShipment[],
  subtotals: readonly Minor[],
  shop: ShippingPrice,
) {
  const byAddress = new Map<string, Minor>();
  shipments.forEach((s, i) => {
    byAddress.set(s.addressKey, (byAddress.get(s.addressKey) ?? 0) + subtotals[i]!);
  });
  const charged = new Set<string>();
  return shipments.map(({ addressKey }) => {
    if (charged.has(addressKey)) return 0;
    charged.add(addressKey);
    return shippingMinor(byAddress.get(addressKey)!, shop);
  });
}

/** The spend courtesy, or else the first-order courtesy, never both (contract §2). */
export function chooseCourtesy(subtotalMinor: Minor, firstOrder: boolean): Courtesy | null {
  const steps = Math.floor(subtotalMinor / SPEND.per_minor);
  if (steps > 0) return { kind: "SPEND", amountMinor: steps * SPEND.off_minor };
  if (!firstOrder) return null;
  const share = Math.floor((subtotalMinor * FIRST_ORDER.percent + 50) / 100);
  const amountMinor = Math.min(share, FIRST_ORDER.cap_minor);
  return amountMinor > 0 ? { kind: "FIRST_ORDER", amountMinor } : null;
}

/**
 * Splits `amount` over `weights` in proportion, in whole cents that sum exactly: largest remainder,
 * ties in line order. Exact in integers: amount × weight stays far below 2^53 for any order that
 * ORDER_TOTAL allows.
 */
export function allocate(amount: Minor, weights: readonly Minor[]): Minor[] {
  const whole = sum(weights);
  if (amount === 0 || whole === 0) return weights.map(() => 0);
  const shares = weights.map((w) => Math.floor((amount * w) / whole));
  const left = amount - sum(shares);
  const byRemainder = weights
    .map((w, i) => ({ i, remainder: (amount * w) % whole }))
    .sort((a, b) => b.remainder - a.remainder || a.i - b.i);
  for (const { i } of byRemainder.slice(0, left)) shares[i]! += 1;
  return shares;
}
