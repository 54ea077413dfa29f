import type { PaymentMode } from "./layout.ts";

/**
 * What pages are given: plain values that are already decided. Amounts are integer minor units of
 * usd, times are ISO 8601 strings. What builds these knows the domain; the pages do not.
 */
export interface LineView {
  /** The name to use with humans. */
  name: string;
  /** Address of its picture; absent where the bean is not known any more. */
  picture?: string | undefined;
  quantity: number;
  /** Price of one bag. */
  unitMinor: number;
  lineMinor: number;
}

export interface AddressView {
  name: string;
  line1: string;
  line2?: string | undefined;
  city: string;
  region: string;
  postalCode: string;
  country: string;
}

export interface CourtesyView {
  kind: "FIRST_ORDER" | "SPEND";
  code?: string | undefined;
  /** What it takes off, a positive number. */
  amountMinor: number;
}

export interface PricingView {
  subtotalMinor: number;
  courtesy: CourtesyView | null;
  /** A code that was sent along and not used, with the reason in a sentence. */
  unusedCode?: { code: string; reason: string } | undefined;
  shippingMinor: number;
  totalMinor: number;
}

/** The terms of sale in numbers; the sentences around them belong to the pages. */
export interface PolicyView {
  shippingMinor: number;
  /** An address whose bags come to this much ships free. */
  freeShippingAtMinor: number;
  /** Days from the order date. */
  deliveryDays: { earliest: number; latest: number };
}

/** What every page about one sale is given. */
export interface SaleFrame {
  mode: PaymentMode;
  policy: PolicyView;
  /** Where buyers without an agent can write to. */
  supportEmail?: string | undefined;
}
