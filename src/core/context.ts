import type { Logger } from "pino";
import type { PaymentMode } from "./answer.ts";
import { linkToken, type QuoteId } from "./ids.ts";
import type { Mailer } from "./letter.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Shop } from "./shop.ts";

/** A call that metrics and traces report. */
export interface ObservedCall {
  kind: "operation" | "provider" | "webhook" | "settlement";
  name: string;
  /** The quote of the purchase, if it is known before the call. */
  quoteId?: QuoteId | undefined;
}

/** Runs a call and observes it. Its result or error passes through unchanged. */
export type Observer = <T>(act: ObservedCall, run: () => Promise<T>) => Promise<T>;

export const unobserved: Observer = (_act, run) => run();

/**
 * Settings of all verbs. Each layer adds its port: StoreContext the database, CatalogContext the catalog,
 * and Context the payment provider. `clock` returns milliseconds since the epoch.
 */
export interface Settings {
  provider: { readonly mode: PaymentMode };
  clock: () => number;
  log: Logger;
  /** Observes settlements, for metrics and traces. */
  watch?: Observer | undefined;
  baseUrl: string;
  /** The owner's current settings. */
  readonly shop: Shop;
  /** The published limits, which the interfaces enforce. */
  rateLimits: RateLimits;
  quoteTtlMs: number;
  /** IANA name of the shop's calendar and clock. */
  timeZone: string;
  /** How long a buyer's click waits for the provider, if not the default. */
  patienceMs?: number;
  /** Contact for agents and buyers; undefined if the merchant has named none. */
  readonly supportEmail: string | undefined;
  /** Whether UCP and /.well-known/ucp are served. */
  offersUcp?: boolean;
  /** The shop's own privacy policy and terms. */
  readonly privacyUrl?: string | undefined;
  readonly termsUrl?: string | undefined;
  /** Years after a customer's last order until their data is erased; undefined: never. */
  customerDataYears?: number | undefined;
  /** Receives mail for the merchant; undefined: none is sent. */
  merchantEmail?: string | undefined;
  /** Without a mailer, letters are only shown at the desk. */
  mailer?: Mailer | undefined;
  /** The installation's secret, from which review links, cart links and desk sessions are derived. */
  secret: Buffer;
  /** MERCHANT_SECRET; without it the database has the hash of one that the first start generated. */
  merchantSecret?: string | undefined;
}

type LinkContext = Pick<Settings, "secret" | "baseUrl">;

/** Page on which the buyer reviews a quote and pays. */
export const reviewUrl = ({ baseUrl, secret }: LinkContext, quoteId: QuoteId): string =>
  `${baseUrl}/review/${linkToken(secret, "review", quoteId)}`;

/** Page on which a buyer confirms their email address. Only the first letter has it. */
export const confirmUrl = ({ baseUrl, secret }: LinkContext, entryId: string): string =>
  `${baseUrl}/waitlist/confirm/${linkToken(secret, "confirm", entryId)}`;

/** Page on which a buyer reads a waitlist entry, leaves it, or orders: for their mailbox, or their agent. */
export const placeUrl = ({ baseUrl, secret }: LinkContext, entryId: string): string =>
  `${baseUrl}/waitlist/${linkToken(secret, "waitlist", entryId)}`;

/**
 * The same page for whoever typed an address on our form. Anybody can, so once the mailbox's owner has confirmed
 * the place, this link opens it no more.
 */
export const joinedUrl = ({ baseUrl, secret }: LinkContext, entryId: string): string =>
  `${baseUrl}/waitlist/${linkToken(secret, "joined", entryId)}`;
