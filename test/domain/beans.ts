import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import type { QuoteRequest } from "../../src/domain/quote/quote-request.ts";
import { loadCatalog } from "../../src/server/catalog-file.ts";

const FILE = new URL("../../resources/catalog.json", import.meta.url).pathname;

/** The catalog the service ships with. */
export const catalog: Catalog = loadCatalog(FILE);

export const HOME = {
  name: "Test Buyer",
  line1: "1 Main Street",
  city: "Austin",
  region: "TX",
  postal_code: "78701",
  country: "US",
} as const;

/** One parcel: one bag of the $22.00 bean to one address, unless told otherwise. */
export const parcel = (change: Record<string, unknown> = {}) => ({
  recipient_ref: "home",
  address: HOME,
  items: [{ product_id: "colombia-huila", quantity: 1 }],
  ...change,
});

/** A valid request, and whatever a test makes of it. */
export const request = (change: Record<string, unknown> = {}) =>
  ({
    buyer: { email: "buyer@example.com" },
    shipments: [parcel()],
    ...change,
  }) as QuoteRequest;
