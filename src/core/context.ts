import type { Logger } from "pino";
import type { LiveCatalog } from "../catalog/live-catalog.ts";
import type { Store } from "../db/store.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { linkToken } from "./ids.ts";
import type { Mailer } from "./letter.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Shop } from "./shop.ts";

/** A call that metrics and traces report. */
export interface ObservedCall {
  kind: "operation" | "provider" | "webhook" | "settlement";
  name: string;
  /** The quote of the purchase, if it is known before the call. */
  quoteId?: string | undefined;
}

/** Runs a call and observes it. Its result or error passes through unchanged. */
export type Observer = <T>(act: ObservedCall, run: () => Promise<T>) => Promise<T>;

export const unobserved: Observer = (_act, run) => run();

/** What every verb works with. Time comes from `clock`, milliseconds since the epoch. */
export interface Context {
  store: Store;
  catalog: LiveCatalog;
  provider: PaymentProvider;
  clock: () => number;
  log: Logger;
  /** Looks on at settlements, for metrics and traces. */
  watch?: Observer | undefined;
  baseUrl: string;
  /** The owner's shop, as the catalog file has it. */
  shop: Shop;
  /** As they are published; the interfaces count by them. */
  rateLimits: RateLimits;
  quoteTtlMs: number;
  /** The shop's own calendar and clock, an IANA name. */
  timeZone: string;
  /** How long a buyer's click waits for the provider, where the usual is not meant. */
  patienceMs?: number;
  /** Where people write to; nothing is invented where the merchant has named none. */
  supportEmail: string | undefined;
  /** Whether /.well-known/ucp and what it names are served. */
  offersUcp?: boolean;
  /** The shop's own privacy policy and terms. */
  privacyUrl?: string | undefined;
  termsUrl?: string | undefined;
  /** Where the merchant reads letters about the shop; undefined: nowhere. */
  merchantEmail?: string | undefined;
  /** Undefined: letters are only kept, to be read at the desk. */
  mailer?: Mailer | undefined;
  /** The installation's own secret: review links, cart links and the desk's sessions come from it. */
  secret: Buffer;
  /** MERCHANT_SECRET; without it the database knows the hash of one that the first start made. */
  merchantSecret?: string | undefined;
}

type LinkContext = Pick<Context, "secret" | "baseUrl">;

/** Where the buyer of a quote looks at it and pays. */
export const reviewUrl = ({ baseUrl, secret }: LinkContext, quoteId: string): string =>
  `${baseUrl}/review/${linkToken(secret, "review", quoteId)}`;

/** Link that confirms an email address. Only the first letter has it. */
export const confirmUrl = ({ baseUrl, secret }: LinkContext, entryId: string): string =>
  `${baseUrl}/waitlist/confirm/${linkToken(secret, "confirm", entryId)}`;

/** Where a buyer looks at a place in the queue, leaves it, or orders. */
export const placeUrl = ({ baseUrl, secret }: LinkContext, entryId: string): string =>
  `${baseUrl}/waitlist/${linkToken(secret, "waitlist", entryId)}`;
