import { z } from "zod";
import type { PaymentMode } from "../core/answer.ts";
import { decimal } from "../core/fields.ts";
import { slips } from "../core/nearest.ts";
import { isLoopback } from "../core/network.ts";
import { readRateLimits } from "../core/rate-limits.ts";
import {
  DATABASE_URL_FORMS,
  idleParameters,
  PASSWORD_FORM,
  readDatabaseUrl,
} from "../db/database-url.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import { isAddressRange } from "./address-ranges.ts";
import { dataFolder } from "./data-folder.ts";

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const format = (isGood: (value: string) => boolean, says: string) =>
  text.refine((value) => value === undefined || isGood(value), says);

/** Reads a value from text, or the problem with it. */
const parse = <T>(
  read: (value: string | undefined) => { value: T } | { problem: string },
  of: z.ZodType<string | undefined> = text,
) =>
  of.transform((value, context): T => {
    const found = read(value);
    if ("value" in found) return found.value;
    context.addIssue(found.problem);
    return z.NEVER;
  });

/** Takes plain digits only, not the other spellings that JavaScript reads as a number. */
const whole = <F extends number | undefined>(min: number, max: number, fallback: F) =>
  parse<number | F>((typed = "") => {
    if (typed.trim() === "") return { value: fallback };
    const value = decimal(typed);
    if (value !== null && value >= min && value <= max) return { value };
    const range = `must be a whole number from ${min} to ${max} in plain digits`;
    return { problem: `${range}, not ${JSON.stringify(typed)}.` };
  }, z.string().optional());

const oneOf = <const T extends string>(values: readonly T[], fallback: T) =>
  parse<T>((text = fallback) => {
    const value = values.find((one) => one === text);
    return value === undefined
      ? { problem: `must be one of ${values.join(", ")}, not "${text}".` }
      : { value };
  });

const rateLimits = parse((text = "on") => {
  const read = readRateLimits(text);
  return "limits" in read ? { value: read.limits } : { problem: `${read.problem}.` };
});

const isEmail = (value: string): boolean => /^[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$/.test(value);

/**
 * Returns the IANA name, because TZ would take "europe/berlin" for UTC. Refuses "CST", which names several
 * time zones. The default is not looked up, because that loads all of Node's calendars.
 */
const timeZone = parse<string | undefined>((name) => {
  if (name === undefined) return { value: undefined };
  const value = /^(utc|[a-z]+\/.+)$/i.test(name) ? knownTimeZone(name) : undefined;
  return value === undefined
    ? { problem: `must be UTC or an IANA time zone, such as America/Chicago, not "${name}".` }
    : { value };
});

function knownTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const list = (value: string | undefined): string[] =>
  (value ?? "").split(",").flatMap((part) => (part.trim() ? [part.trim()] : []));

const isHostName = (value: string): boolean =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value) && URL.canParse(`https://${value}`);

/** Browsers send an Origin without a path or final slash. */
const isOrigin = (value: string): boolean =>
  value === "*" || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*A-Z]+$/.test(value);

/** With or without scheme and port. */
const isHost = (value: string): boolean =>
  !value.includes("*") && URL.canParse(value.includes("://") ? value : `http://${value}`);

function isBaseUrl(value: string): boolean {
  const url = URL.parse(value);
  const bare = url?.pathname === "/" && !url.search && !url.hash && !url.username;
  return bare && (url.protocol === "http:" || url.protocol === "https:");
}

function isHttpsUrl(value: string): boolean {
  return URL.parse(value)?.protocol === "https:";
}

/** nodemailer takes any other value of requireTLS for "yes". */
const isSmtpUrl = (url: URL | null): boolean =>
  url !== null && ["true", "false", null].includes(url.searchParams.get("requireTLS"));

/** Host of a URL that reaches a listening address. */
export const urlHost = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
};

/** The default is reached by this machine only. */
const host = format(
  (value) => isBaseUrl(`http://${urlHost(value)}`),
  "must be an address or name of this machine, such as 0.0.0.0.",
).transform((value) => value ?? "127.0.0.1");

/** Returns the texts that apply. */
export const applicable = (texts: readonly (readonly [applies: boolean, text: string])[]) =>
  texts.flatMap(([applies, text]) => (applies ? [text] : []));

/** Invalid configuration; the message has one line per problem. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

type Environment = z.infer<typeof Environment>;
export const Environment = z.object({
  HOST: host,
  PORT: whole(0, 65_535, undefined),
  BASE_URL: format(isBaseUrl, "must be an http(s) address without path, query or user."),
  DATABASE_URL: format((url) => readDatabaseUrl(url) !== null, `must be ${DATABASE_URL_FORMS}.`),
  CATALOG_FILE: text,
  PAYMENT_PROVIDER: oneOf(["sandbox", "stripe"], "sandbox"),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRETS: text,
  STRIPE_CHECKOUT_DOMAIN: format(isHostName, "must be a host name only, such as pay.example.com."),
  PAYMENT_METHODS: format(
    (names) => /[^\s,]/.test(names) && list(names).every((name) => /^[a-z0-9_]+$/.test(name)),
    "must be Stripe's names, comma-separated: card,link,us_bank_account.",
  ),
  ALLOW_PUBLIC_SANDBOX: oneOf(["on", "off"], "off"),
  MERCHANT_SECRET: z
    .string()
    .trim()
    .min(
      32,
      `must be 128 random bits, in at least 32 characters: openssl rand -hex 16. To use none, unset it.`,
    )
    .refine((secret) => new Set(secret).size >= 6, "must not repeat a few characters.")
    .optional(),
  MERCHANT_API_KEY: format(
    (key) => key.startsWith("cma_"),
    "must be an agent's key (cma_…) from register_agent.",
  ),
  QUOTE_TTL_HOURS: whole(1, 24 * 90, 24 * 7),
  CUSTOMER_DATA_YEARS: whole(1, 100, undefined),
  TIME_ZONE: timeZone,
  SUPPORT_EMAIL: format(isEmail, "must be an email address."),
  PRIVACY_URL: format(isHttpsUrl, "must be an https address."),
  TERMS_URL: format(isHttpsUrl, "must be an https address."),
  SMTP_URL: format(
    (url) => /^smtps?:\/\/[^/\s]+/.test(url) && isSmtpUrl(URL.parse(url)),
    `must be smtp://user:password@host:port, or smtps:// for TLS from the start, with ?requireTLS=false if at all; ${PASSWORD_FORM}.`,
  ),
  MAIL_FROM: format(isEmail, "must be an email address."),
  MERCHANT_EMAIL: format(isEmail, "must be an email address."),
  RATE_LIMITS: rateLimits,
  PLATFORM_ADDRESSES: format(
    (ranges) => list(ranges).every(isAddressRange),
    "must be address ranges, comma-separated: 203.0.113.0/24,2001:db8::/32.",
  ),
  TRUST_PROXY: whole(0, 10, 0),
  MAX_CONNECTIONS: whole(16, 100_000, 4096),
  DRAIN_SECONDS: whole(0, 60, 0),
  CORS_ORIGINS: format(
    (origins) => list(origins).every(isOrigin),
    "must be * or origins as browsers write them, comma-separated: https://app.example.",
  ),
  ALLOWED_HOSTS: format(
    (hosts) => list(hosts).every(isHost),
    "must be host names, comma-separated and without *.",
  ),
  METRICS_PORT: whole(0, 65_535, undefined),
  METRICS_HOST: host,
  LOG_LEVEL: oneOf(["silent", "fatal", "error", "warn", "info", "debug", "trace"], "info"),
  NODE_ENV: text,
});

/** Docker and systemd read files of settings differently: one keeps the quotation marks of a value. */
const isQuoted = (value: string | undefined): boolean => /^\s*(["']).*\1\s*$/s.test(value ?? "");

function valid<S extends z.ZodObject>(schema: S, env: Record<string, string | undefined>) {
  const quoted = Object.keys(schema.shape).filter((name) => isQuoted(env[name]));
  if (quoted.length > 0) {
    const says = "is in quotation marks, which would be part of its value. Remove them.";
    throw configError(quoted.map((name) => `${name} ${says}`));
  }
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  throw configError(issues.map(({ path, message }) => `${path.join(".")} ${message}`));
}

/** Reads the whole environment (contract §16). Throws one ConfigError that names every problem. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const e = valid(Environment, env);
  const noSender = e.SMTP_URL !== undefined && !(e.MAIL_FROM ?? e.SUPPORT_EMAIL);
  const problems = [
    ...PROVIDERS[e.PAYMENT_PROVIDER].problems(e, list(e.STRIPE_WEBHOOK_SECRETS)),
    ...(noSender ? ["SMTP_URL needs MAIL_FROM, the sender of all emails."] : []),
  ];
  const folder = dataFolder(env);
  if (folder === null && e.DATABASE_URL === undefined) {
    problems.push("HOME is not set: set it, or DATABASE_URL=sqlite:/path/to/merchant.db.");
  }
  if (problems.length > 0) throw configError(problems);
  return configOf(e, folder ?? "");
}

export type Config = ReturnType<typeof configOf>;

const USUAL_PORT = 3000;

const configOf = (e: Environment, folder: string) => ({
  host: e.HOST,
  port: e.PORT ?? USUAL_PORT,
  /** Without a trailing slash. */
  baseUrl: (e.BASE_URL ?? `http://${urlHost(e.HOST)}:${e.PORT ?? USUAL_PORT}`).replace(/\/$/, ""),
  baseUrlIsSet: e.BASE_URL !== undefined,
  /** MCP on stdio may then use any free port. */
  anyPortWillDo: e.BASE_URL === undefined && e.PORT === undefined,
  databaseUrl: e.DATABASE_URL ?? `sqlite:${folder}/merchant.db`,
  /** The one folder that is created if it is missing. */
  dataFolder: folder,
  catalogFile: e.CATALOG_FILE,
  payments: {
    provider: e.PAYMENT_PROVIDER,
    mode: PROVIDERS[e.PAYMENT_PROVIDER].mode(e),
    secretKey: e.STRIPE_SECRET_KEY ?? "",
    webhookSecrets: list(e.STRIPE_WEBHOOK_SECRETS),
    ...pages(e),
    allowPublicSandbox: e.ALLOW_PUBLIC_SANDBOX === "on",
  },
  merchantSecret: e.MERCHANT_SECRET,
  merchantApiKey: e.MERCHANT_API_KEY,
  quoteTtlMs: e.QUOTE_TTL_HOURS * 3_600_000,
  customerDataYears: e.CUSTOMER_DATA_YEARS,
  /** IANA name of the shop's calendar and clock. */
  timeZone: e.TIME_ZONE ?? "UTC",
  supportEmail: e.SUPPORT_EMAIL,
  privacyUrl: e.PRIVACY_URL,
  termsUrl: e.TERMS_URL,
  /** Undefined: no emails are sent, and the desk shows their text. */
  mail: e.SMTP_URL ? { url: e.SMTP_URL, from: (e.MAIL_FROM ?? e.SUPPORT_EMAIL)! } : undefined,
  /** Receives the emails about orders, requests and incidents. */
  merchantEmail: e.MERCHANT_EMAIL ?? e.SUPPORT_EMAIL,
  rateLimits: e.RATE_LIMITS,
  /** Address ranges of hosted assistants, with many people behind each address. */
  platformAddresses: list(e.PLATFORM_ADDRESSES),
  /** Number of proxies in front that set X-Forwarded-For. */
  trustProxy: e.TRUST_PROXY,
  /** Further origins whose pages may call the API; "*" for any. */
  corsOrigins: list(e.CORS_ORIGINS),
  /** Further host names that clients may call. */
  allowedHosts: list(e.ALLOWED_HOSTS),
  /** Most open HTTP connections. Without a proxy one address gets a quarter of them. */
  maxConnections: e.MAX_CONNECTIONS,
  /** Whether other machines can reach it. */
  public: publicAddress(e) !== null,
  /** UCP requires https, except for a shop that only this machine reaches. */
  offersUcp: e.BASE_URL?.startsWith("https:") || publicAddress(e) === null,
  /** How long it serves after a stop signal, while /readyz is 503. */
  drainMs: e.DRAIN_SECONDS * 1000,
  /** Undefined: no metrics. */
  metricsPort: e.METRICS_PORT,
  metricsHost: e.METRICS_HOST,
  logLevel: e.LOG_LEVEL,
  production: e.NODE_ENV === "production",
});

/** Payment mode of each provider, and the problems of its settings. */
const PROVIDERS: Record<
  Environment["PAYMENT_PROVIDER"],
  {
    mode(e: Environment): PaymentMode;
    problems(e: Environment, webhookSecrets: string[]): string[];
  }
> = {
  sandbox: { mode: () => "sandbox", problems: sandboxProblems },
  stripe: {
    mode: (e) => (isLive(e.STRIPE_SECRET_KEY) ? "live" : "test"),
    problems: (e, secrets) => stripeProblems(e, secrets),
  },
};

const configError = (problems: readonly string[]): ConfigError =>
  new ConfigError(`Invalid configuration:\n${problems.map((p) => `  - ${p}`).join("\n")}`);

/** Settings of the payment pages. */
const pages = (e: Pick<Environment, "PAYMENT_METHODS" | "STRIPE_CHECKOUT_DOMAIN">) => ({
  /** Stripe's names; undefined: the provider's default. */
  paymentMethods: e.PAYMENT_METHODS === undefined ? undefined : list(e.PAYMENT_METHODS),
  /** The account's own checkout domain, as an origin. */
  extraCheckoutOrigins: list(e.STRIPE_CHECKOUT_DOMAIN).map((domain) => `https://${domain}`),
});

/** Prefixes of our settings, without the variables that Kubernetes adds for a service. */
const OUR_PREFIX = /^(MERCHANT|METRICS|SMTP|STRIPE)_(?!.*(SERVICE|PORT)(_|$))/;

/** Returns a warning for each setting without effect, and each variable that resembles a setting. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(Environment.shape);
  const { NODE_ENV = "", METRICS_HOST, METRICS_PORT, DATABASE_URL = "" } = env;
  const database = readDatabaseUrl(DATABASE_URL);
  const parameters = database?.engine === "postgres" ? idleParameters(database.url) : [];
  const idle = applicable([
    [
      /^(prod|live)/i.test(NODE_ENV) && NODE_ENV !== "production",
      `NODE_ENV is ${NODE_ENV}, which has no effect. Did you mean production?`,
    ],
    [
      METRICS_HOST !== undefined && METRICS_PORT === undefined,
      "METRICS_HOST has no effect without METRICS_PORT.",
    ],
  ]);
  const unknown = Object.keys(env).flatMap((name) => {
    if (Object.hasOwn(Environment.shape, name)) return [];
    const upper = name.toUpperCase();
    // HOME is two letters away from HOST, and PATH from PORT.
    const near = known.find(
      (one) =>
        slips(upper, one) <= (one.length < 8 ? 1 : 2) ||
        // QUOTE_TTL, but not MAIL.
        (upper.includes("_") && one.startsWith(`${upper}_`)),
    );
    if (near) return [`${name} is not a setting and has no effect. Did you mean ${near}?`];
    return OUR_PREFIX.test(upper) ? [`${name} is not a setting and has no effect.`] : [];
  });
  const said = parameters.map((name) => `?${name} in DATABASE_URL has no effect.`);
  return [...idle, ...said, ...unknown];
}

/** Reads the settings of `verify:stripe`, which needs no webhook secret. */
export function readStripe(env: Record<string, string | undefined>) {
  const names = {
    STRIPE_SECRET_KEY: true,
    STRIPE_CHECKOUT_DOMAIN: true,
    PAYMENT_METHODS: true,
  } as const;
  const e = valid(Environment.pick(names), env);
  return { secretKey: e.STRIPE_SECRET_KEY, ...pages(e) };
}

function isLive(key: string | undefined): boolean {
  return /^(sk|rk)_live_/.test(key ?? "");
}

const SANDBOX_METHODS: ReadonlySet<string> = new Set(["card", "link", "us_bank_account"]);

function sandboxProblems(e: Environment): string[] {
  const named = list(e.PAYMENT_METHODS);
  const odd = named.filter((name) => !SANDBOX_METHODS.has(name));
  const known = [...SANDBOX_METHODS].join(", ");
  const publicSetting = publicAddress(e);
  const isRefused = e.ALLOW_PUBLIC_SANDBOX === "off";
  const remedy = "Set PAYMENT_PROVIDER=stripe, or ALLOW_PUBLIC_SANDBOX=on for a demo.";
  return applicable([
    [
      isLive(e.STRIPE_SECRET_KEY),
      "PAYMENT_PROVIDER=sandbox takes play money, but STRIPE_SECRET_KEY is live. Set PAYMENT_PROVIDER=stripe, or unset the key.",
    ],
    [odd.length > 0, `The sandbox knows the PAYMENT_METHODS ${known}, not ${odd.join(", ")}.`],
    [
      named.length > 0 && named.every((name) => name === "link"),
      "The sandbox does not offer link: PAYMENT_METHODS needs card or us_bank_account, too.",
    ],
    [
      isRefused && e.NODE_ENV === "production",
      `PAYMENT_PROVIDER=sandbox takes play money, but NODE_ENV is production. ${remedy}`,
    ],
    [
      isRefused && publicSetting !== null,
      `PAYMENT_PROVIDER=sandbox takes play money, but ${publicSetting} is public. ${remedy}`,
    ],
  ]);
}

/** The setting that makes this service public, or null. A container on 0.0.0.0 counts as public. */
function publicAddress(e: Pick<Environment, "HOST" | "BASE_URL">): string | null {
  if (!isLoopback(URL.parse(e.BASE_URL ?? "")?.hostname ?? "localhost")) return "BASE_URL";
  return isLoopback(e.HOST) ? null : `HOST (${e.HOST})`;
}

const stripeProblems = (e: Environment, webhookSecrets: string[]): string[] =>
  applicable([
    [
      !/^(sk|rk)_(test|live)_/.test(e.STRIPE_SECRET_KEY ?? ""),
      "PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY: a restricted key (rk_…) with the permissions " +
        `${KEY_PERMISSIONS}, or a secret key (sk_…).`,
    ],
    [
      webhookSecrets.length === 0,
      "PAYMENT_PROVIDER=stripe needs STRIPE_WEBHOOK_SECRETS: whsec_…, comma-separated.",
    ],
    [
      webhookSecrets.some((secret) => !secret.startsWith("whsec_")),
      "Each of STRIPE_WEBHOOK_SECRETS starts with whsec_.",
    ],
    [
      isLive(e.STRIPE_SECRET_KEY) && !(e.BASE_URL ?? "http:").startsWith("https:"),
      "A live STRIPE_SECRET_KEY needs a BASE_URL with https.",
    ],
  ]);
