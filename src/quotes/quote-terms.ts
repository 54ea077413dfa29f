import type { Product } from "../catalog/catalog.ts";
import { addressKey } from "../core/address.ts";
import { type Bags, mergeBags } from "../core/bags.ts";
import { sha256 } from "../core/hash.ts";
import { CURRENCY, display, plainDollars } from "../core/money.ts";
import { CONTRACT_VERSION, FIRST_ORDER, iso, POLICY_VERSION, SPEND } from "../core/policy.ts";
import type { Shop } from "../core/shop.ts";
import { type Price, price } from "./pricing.ts";
import type { Pricing, Terms } from "./quote-answer.ts";
import { normalCode, type QuoteRequest } from "./quote-request.ts";

interface TermsInput {
  request: QuoteRequest;
  beans: readonly Product[];
  expiresAt: number;
  nonce: string;
  shop: Shop;
}

/**
 * Builds the terms of a valid request; `beans` contains all its beans. Fields are in alphabetical order,
 * which makes canonical ordering cheap.
 */
export function buildTerms({ request, beans, expiresAt, nonce, shop }: TermsInput): Terms {
  const shipments = request.shipments.map((shipment) => ({
    shipment,
    lines: mergeBags(shipment.items).map((line) => {
      const bean = beans.find(({ product_id }) => product_id === line.product_id)!;
      return { ...line, bean };
    }),
  }));
  const code = normalCode(request.discount_code);
  const priced = price(
    shipments.map(({ shipment, lines }) => ({
      addressKey: addressKey(shipment.address),
      lines: lines.map(({ bean, quantity }) => ({ unitMinor: bean.price_minor, quantity })),
    })),
    { shop, firstOrder: code === FIRST_ORDER.code },
  );
  return {
    buyer: { email: request.buyer.email },
    contract_version: CONTRACT_VERSION,
    currency: CURRENCY,
    ...(code !== null && { discount_code: codeOutcome(code, priced) }),
    expires_at: iso(expiresAt),
    nonce,
    policy_version: POLICY_VERSION,
    preferences: { substitutions: "none" },
    pricing: termsPricing(priced),
    shipments: shipments.map(({ shipment, lines }, s) => termsShipment(shipment, lines, priced, s)),
  };
}

function termsShipment(
  shipment: QuoteRequest["shipments"][number],
  lines: readonly (Bags & { bean: Product })[],
  priced: Price,
  s: number,
): Terms["shipments"][number] {
  const price = priced.shipments[s]!;
  return {
    address: shipment.address,
    ...(priced.courtesy && { courtesy_minor: price.courtesyMinor }),
    gift_notes: shipment.gift_notes ?? [],
    items: lines.map(({ bean, quantity }) => ({
      name: bean.name_to_use_with_humans,
      product_id: bean.product_id,
      quantity,
      unit_price_minor: bean.price_minor,
    })),
    recipient_ref: shipment.recipient_ref,
    shipping_minor: price.shippingMinor,
    subtotal_minor: price.subtotalMinor,
  };
}

/** Totals and courtesy of a price, as responses show them. */
export const pricingOf = ({ courtesy, ...priced }: Price) => ({
  courtesy: courtesy && {
    amount_minor: courtesy.amountMinor,
    ...(courtesy.kind === "FIRST_ORDER" && { code: FIRST_ORDER.code }),
    kind: courtesy.kind,
  },
  shipping_minor: priced.shippingMinor,
  subtotal_minor: priced.subtotalMinor,
  total_display: display(priced.totalMinor),
  total_minor: priced.totalMinor,
});

function termsPricing(priced: Price): Pricing {
  const { courtesy, ...sums } = pricingOf(priced);
  const allocations = priced.shipments.flatMap(({ lines }, shipment) =>
    lines.map(({ courtesyMinor }, line) => ({ amount_minor: courtesyMinor, line, shipment })),
  );
  return { courtesy: courtesy && { allocations, ...courtesy }, ...sums };
}

/** Each line's share of the courtesy, by shipment. */
export const courtesyByLine = ({ shipments, pricing: { courtesy } }: Terms): number[][] =>
  shipments.map(({ items }, shipment) =>
    items.map((_, line) => {
      const share = courtesy?.allocations.find(
        (one) => one.shipment === shipment && one.line === line,
      );
      return share?.amount_minor ?? 0;
    }),
  );

/** Any order ends the first-order offer, also one without its discount. */
export const SPEND_REPLACES = `The large-order discount replaces the first-order discount from ${plainDollars(SPEND.per_minor)} of coffee. The first-order offer ends with the first order.`;

function codeOutcome(code: string, priced: Price): NonNullable<Terms["discount_code"]> {
  if (priced.courtesy?.kind === "FIRST_ORDER") return { code, applied: true };
  return { code, applied: false, reason: SPEND_REPLACES };
}

/** "sha256:" and the hex SHA-256 of the canonical terms. Anyone can recompute it (contract §4). */
export const hashTerms = (canonical: string): string => `sha256:${sha256(canonical)}`;

/** Bags per bean over all shipments, in a fixed order. */
export const bagsByProduct = (shipments: readonly { items: readonly Bags[] }[]): Bags[] =>
  mergeBags(shipments.flatMap(({ items }) => items))
    .map(({ product_id, quantity }) => ({ product_id, quantity }))
    .sort((a, b) => (a.product_id < b.product_id ? -1 : 1));

/** Bags and first-order courtesy that a payment reserves. */
export const ofTerms = (terms: Terms) => ({
  bags: bagsByProduct(terms.shipments),
  firstOrder: terms.pricing.courtesy?.kind === "FIRST_ORDER",
});
