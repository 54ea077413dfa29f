import type { QuoteRequest } from "../../src/quotes/quote-request.ts";
import { ADDRESS } from "./shopper.ts";

/** One shipment: one bag of the $22.00 bean to one address, but for the change. */
export const shipment = (change: Record<string, unknown> = {}) => ({
  recipient_ref: "home",
  address: ADDRESS,
  items: [{ product_id: "kenya-nyeri", quantity: 1 }],
  ...change,
});

/** A valid request, and whatever a test makes of it. */
export const request = (change: Record<string, unknown> = {}) =>
  ({
    buyer: { email: "buyer@example.com" },
    shipments: [shipment()],
    ...change,
  }) as QuoteRequest;
