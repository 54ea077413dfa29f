import { z } from "zod";
import type { PaymentMode } from "../core/answer.ts";
import { isLoopback } from "../core/client-address.ts";
import { decimal } from "../core/fields.ts";
import { readRateLimits } from "../core/rate-limits.ts";
import { DATABASE_URL_FORMS, PASSWORD_FORM, readDatabaseUrl } from "../db/database-url.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import { dataFolder } from "./data-folder.ts";

export const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

/** Text that has a form, where it is set at all. */
export const formed = (isGood: (value: string) => boolean, says: string) =>
  text.refine((value) => value === undefined || isGood(value), says);

/** Text that stands for something else: for its value, or for what is wrong with it. */
const meaning = <T>(
  read: (value: string | undefined) => { value: T } | { problem: string },
  of: z.ZodType<string | undefined> = text,
) =>
  of.transform((value, context): T => {
    const found = read(value);
    if ("value" in found) return found.value;
    context.addIssue(found.problem);
    return z.NEVER;
  });

/** As it was typed: what JavaScript would take for a number besides is told, not guessed at. */
export const whole = <F extends number | undefined>(min: number, max: number, fallback: F) =>
  meaning<number | F>((typed = "") => {
    if (typed.trim() === "") return { value: fallback };
    const value = decimal(typed);
    if (value !== null && value >= min && value <= max) return { value };
    const range = `must be a whole number from ${min} to ${max} in plain digits`;
    return { problem: `${range}, not ${JSON.stringify(typed)}.` };
  }, z.string().optional());

export const oneOf = <const T extends string>(values: readonly T[], fallback: T) =>
  meaning<T>((text = fallback) => {
    const value = values.find((one) => one === text);
    return value === undefined
      ? { problem: `must be one of ${values.join(", ")}, not "${text}".` }
      : { value };
  });

export const rateLimits = meaning((text = "on") => {
  const read = readRateLimits(text);
  return "limits" in read ? { value: read.limits } : { problem: `${read.problem}.` };
});

export const isEmail = (value: string): boolean => /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(value);

/**
 * By the name that the calendar and the process's own clock both know: to the second of them
 * "europe/berlin" and "+02:00" are UTC. Looking at the default would load all of Node's calendars at every start.
 */
export const timeZone = meaning<string | undefined>((name) => {
  if (name === undefined) return { value: undefined };
  const value = knownTimeZone(name);
  return value === undefined || /^[+-]/.test(value)
    ? { problem: "must be the name of a time zone, such as America/Chicago." }
    : { value };
});

function knownTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export const list = (value: string | undefined): string[] =>
  (value ?? "").split(",").flatMap((part) => (part.trim() ? [part.trim()] : []));

export const isHostName = (value: string): boolean =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value) && URL.canParse(`https://${value}`);

/** Compared letter by letter with what a browser sends, so that a path or a final slash never fits. */
export const isOrigin = (value: string): boolean =>
  value === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*A-Z]+$/.test(value);

/** With or without scheme and port. */
export const isHost = (value: string): boolean =>
  !value.includes("*") && URL.canParse(value.includes("://") ? value : `http://${value}`);

export function isBaseUrl(value: string): boolean {
  const url = URL.parse(value);
  const bare = url?.pathname === "/" && !url.search && !url.hash && !url.username;
  return bare && (url.protocol === "http:" || url.protocol === "https:");
}

/** An address to listen on, as the host part of an address to call. */
export const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};

/** Where to listen: only this machine reaches the default. */
export const host = formed(
  (value) => isBaseUrl(`http://${urlHost(value)}`),
  "must be an address or a name of this machine, such as 0.0.0.0.",
).transform((value) => value ?? "127.0.0.1");

/** Of what can be said the texts that apply. */
export const applying = (sayings: readonly (readonly [applies: boolean, text: string])[]) =>
  sayings.flatMap(([applies, text]) => (applies ? [text] : []));

/** The environment was wrong; the message has one line per problem. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Environment = z.infer<typeof Environment>;
export const Environment = z.object({
  HOST: host,
  PORT: whole(0, 65_535, undefined),
  BASE_URL: formed(isBaseUrl, "must be an http(s) address without path, query or user."),
  DATABASE_URL: formed((url) => readDatabaseUrl(url) !== null, `must be ${DATABASE_URL_FORMS}.`),
  CATALOG_FILE: text,
  PAYMENT_PROVIDER: oneOf(["sandbox", "stripe"], "sandbox"),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRETS: text,
  STRIPE_CHECKOUT_DOMAIN: formed(isHostName, "is a host name alone, such as pay.example.com."),
  PAYMENT_METHODS: formed(
    (names) => /[^\s,]/.test(names) && list(names).every((name) => /^[a-z0-9_]+$/.test(name)),
    "are Stripe's names, comma-separated: card,link,us_bank_account.",
  ),
  ALLOW_PUBLIC_SANDBOX: oneOf(["on", "off"], "off"),
  MERCHANT_SECRET: formed(({ length }) => length >= 16, "must have at least 16 characters."),
  MERCHANT_API_KEY: text,
  QUOTE_TTL_HOURS: whole(1, 24 * 90, 24 * 7),
  TIME_ZONE: timeZone,
  SUPPORT_EMAIL: formed(isEmail, "must be an email address."),
  SMTP_URL: formed(
    (url) => /^smtps?:\/\/[^/\s]+/.test(url) && URL.canParse(url),
    `must be smtp://user:password@host:port, or smtps:// for TLS from the start; ${PASSWORD_FORM}.`,
  ),
  MAIL_FROM: formed(isEmail, "must be an email address."),
  MERCHANT_EMAIL: formed(isEmail, "must be an email address."),
  RATE_LIMITS: rateLimits,
  TRUST_PROXY: whole(0, 10, 0),
  MAX_CONNECTIONS: whole(16, 100_000, 4096),
  DRAIN_SECONDS: whole(0, 60, 0),
  CORS_ORIGINS: formed(
    (origins) => list(origins).every(isOrigin),
    "must be * or origins as browsers write them, comma-separated: https://app.example.",
  ),
  ALLOWED_HOSTS: formed(
    (hosts) => list(hosts).every(isHost),
    "must be host names, comma-separated and without *.",
  ),
  METRICS_PORT: whole(0, 65_535, undefined),
  METRICS_HOST: host,
  LOG_LEVEL: oneOf(["silent", "fatal", "error", "warn", "info", "debug", "trace"], "info"),
  NODE_ENV: text,
});

/** The variables one by one; each that is wrong is told by its name. */
function valid<S extends z.ZodType>(schema: S, env: Record<string, string | undefined>) {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw configError(issues.map(({ path, message }) => `${path.join(".")} ${message}`));
}

/** The only reader of the environment (contract §16). Everything wrong is named at once. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const e = valid(Environment, env);
  const noSender = e.SMTP_URL !== undefined && !(e.MAIL_FROM ?? e.SUPPORT_EMAIL);
  const problems = [
    ...paymentProblems(e, list(e.STRIPE_WEBHOOK_SECRETS)),
    ...(noSender ? ["SMTP_URL needs MAIL_FROM, the address that letters come from."] : []),
  ];
  if (problems.length > 0) throw configError(problems);
  return configOf(e, dataFolder(env));
}

export type Config = ReturnType<typeof configOf>;

const USUAL_PORT = 3000;

const configOf = (e: Environment, folder: string) => ({
  host: e.HOST,
  port: e.PORT ?? USUAL_PORT,
  /** Without a trailing slash. */
  baseUrl: (e.BASE_URL ?? `http://${urlHost(e.HOST)}:${e.PORT ?? USUAL_PORT}`).replace(/\/$/, ""),
  baseUrlIsSet: e.BASE_URL !== undefined,
  /** What serves one client on this machine may then listen at another port than the usual one. */
  anyPortWillDo: e.BASE_URL === undefined && e.PORT === undefined,
  databaseUrl: e.DATABASE_URL ?? `sqlite:${folder}/merchant.db`,
  catalogFile: e.CATALOG_FILE,
  payments: {
    provider: e.PAYMENT_PROVIDER,
    mode: paymentMode(e),
    secretKey: e.STRIPE_SECRET_KEY ?? "",
    webhookSecrets: list(e.STRIPE_WEBHOOK_SECRETS),
    ...pages(e),
    /** Sandbox on an address that others reach: only when asked for. */
    allowPublicSandbox: e.ALLOW_PUBLIC_SANDBOX === "on",
  },
  merchantSecret: e.MERCHANT_SECRET,
  merchantApiKey: e.MERCHANT_API_KEY,
  quoteTtlMs: e.QUOTE_TTL_HOURS * 3_600_000,
  /** An IANA name: the calendar and the clock that people at this shop go by. */
  timeZone: e.TIME_ZONE ?? "UTC",
  supportEmail: e.SUPPORT_EMAIL,
  /** Undefined: nothing is mailed, and the desk shows what would have gone out. */
  mail: e.SMTP_URL ? { url: e.SMTP_URL, from: (e.MAIL_FROM ?? e.SUPPORT_EMAIL)! } : undefined,
  /** Where the merchant reads about orders, requests and incidents. */
  merchantEmail: e.MERCHANT_EMAIL ?? e.SUPPORT_EMAIL,
  rateLimits: e.RATE_LIMITS,
  /** How many proxies stand in front and set X-Forwarded-For. */
  trustProxy: e.TRUST_PROXY,
  /** Origins besides our own whose browser pages may call the API; "*" for any. */
  corsOrigins: list(e.CORS_ORIGINS),
  /** Host names besides our own under which /mcp may be called. */
  allowedHosts: list(e.ALLOWED_HOSTS),
  /** Open HTTP connections at most; one address has a quarter of them where no proxy is trusted. */
  maxConnections: e.MAX_CONNECTIONS,
  /** Others than this machine reach it: what is said in clear can be heard, what is sold is bought. */
  public: publicAddress(e) !== null,
  /** How long, once told to stop, it still serves while /readyz says that it leaves. */
  drainMs: e.DRAIN_SECONDS * 1000,
  /** Where metrics are read by the operator; undefined: nowhere, and nothing is counted. */
  metricsPort: e.METRICS_PORT,
  metricsHost: e.METRICS_HOST,
  logLevel: e.LOG_LEVEL,
  production: e.NODE_ENV === "production",
});

function paymentMode(e: Environment): PaymentMode {
  if (e.PAYMENT_PROVIDER === "sandbox") return "sandbox";
  return isLive(e.STRIPE_SECRET_KEY) ? "live" : "test";
}

const configError = (problems: readonly string[]): ConfigError =>
  new ConfigError(`The environment is not right:\n${problems.map((p) => `  - ${p}`).join("\n")}`);

/** What payment pages offer, and where they are. */
const pages = (e: Pick<Environment, "PAYMENT_METHODS" | "STRIPE_CHECKOUT_DOMAIN">) => ({
  /** Ways to pay, by Stripe's names; undefined: the usual ones of the provider. */
  paymentMethods: e.PAYMENT_METHODS === undefined ? undefined : list(e.PAYMENT_METHODS),
  /** The account's own checkout domain, as an origin. */
  extraCheckoutOrigins: list(e.STRIPE_CHECKOUT_DOMAIN).map((domain) => `https://${domain}`),
});

/** What `verify:stripe` needs: it tries a key before there is a webhook, or a shop. */
export function readStripe(env: Record<string, string | undefined>) {
  const of = {
    STRIPE_SECRET_KEY: true,
    STRIPE_CHECKOUT_DOMAIN: true,
    PAYMENT_METHODS: true,
  } as const;
  const e = valid(Environment.pick(of), env);
  return { secretKey: e.STRIPE_SECRET_KEY, ...pages(e) };
}

/** Real money needs the right keys over https; play money must never meet real keys. */
export const paymentProblems = (e: Environment, webhookSecrets: string[]): string[] =>
  e.PAYMENT_PROVIDER === "sandbox" ? sandboxProblems(e) : stripeProblems(e, webhookSecrets);

export const isLive = (key: string | undefined): boolean => /^(sk|rk)_live_/.test(key ?? "");

const SANDBOX_METHODS: ReadonlySet<string> = new Set(["card", "link", "us_bank_account"]);

function sandboxProblems(e: Environment): string[] {
  const named = list(e.PAYMENT_METHODS);
  const odd = named.filter((name) => !SANDBOX_METHODS.has(name));
  const known = [...SANDBOX_METHODS].join(", ");
  const by = publicAddress(e);
  const refused = e.ALLOW_PUBLIC_SANDBOX === "off";
  const allow = "ALLOW_PUBLIC_SANDBOX=on allows a public demo, where no money moves.";
  return applying([
    [
      isLive(e.STRIPE_SECRET_KEY),
      "PAYMENT_PROVIDER=sandbox beside a live STRIPE_SECRET_KEY is refused.",
    ],
    [odd.length > 0, `The sandbox knows the PAYMENT_METHODS ${known}, not ${odd.join(", ")}.`],
    [
      named.length > 0 && named.every((name) => name === "link"),
      "The sandbox does not offer link: PAYMENT_METHODS needs card or us_bank_account, too.",
    ],
    [
      refused && e.NODE_ENV === "production",
      `PAYMENT_PROVIDER=sandbox with NODE_ENV=production is refused; ${allow}`,
    ],
    [
      refused && by !== null,
      `PAYMENT_PROVIDER=sandbox at a ${by} that others reach is refused; ${allow}`,
    ],
  ]);
}

/**
 * The setting by which other machines reach this one; null where none can. A container listens on
 * 0.0.0.0 without a BASE_URL, and is as public as its network.
 */
export function publicAddress(e: Pick<Environment, "HOST" | "BASE_URL">): string | null {
  if (!isLoopback(URL.parse(e.BASE_URL ?? "")?.hostname ?? "localhost")) return "BASE_URL";
  return isLoopback(e.HOST) ? null : `HOST (${e.HOST})`;
}

const stripeProblems = (e: Environment, webhookSecrets: string[]): string[] =>
  applying([
    [
      !/^(sk|rk)_(test|live)_/.test(e.STRIPE_SECRET_KEY ?? ""),
      "PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY: sk_… or, better, a restricted rk_… key with " +
        `these permissions: ${KEY_PERMISSIONS}.`,
    ],
    [
      webhookSecrets.length === 0,
      "PAYMENT_PROVIDER=stripe needs STRIPE_WEBHOOK_SECRETS, whsec_… comma-separated.",
    ],
    [
      webhookSecrets.some((secret) => !secret.startsWith("whsec_")),
      "Every one of STRIPE_WEBHOOK_SECRETS starts with whsec_.",
    ],
    [
      isLive(e.STRIPE_SECRET_KEY) && !(e.BASE_URL ?? "http:").startsWith("https:"),
      "A live STRIPE_SECRET_KEY needs a BASE_URL with https.",
    ],
  ]);
