/** Settings: invalid ones stop the start with one message, and doubtful ones are logged (contract §16). */

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { Environment, readConfig, readStripe, unknownSettings } from "../../src/app/config.ts";
import { startProblem, startWarnings } from "../../src/app/start.ts";
import { listenLocally } from "../support/loopback.ts";
import { startService } from "../support/service.ts";

/** Spellings that JavaScript reads as numbers and people don't, and octal numbers. */
const ODD = ["0x10", "1e3", " 80 ", "80\r", "+80", "-1", "80.0", "0b11", "0o17", "016", "8_0", "٨"];

const NUMBERS = {
  PORT: "65535",
  METRICS_PORT: "0",
  QUOTE_TTL_HOURS: "2160",
  TRUST_PROXY: "10",
  MAX_CONNECTIONS: "16",
  DRAIN_SECONDS: "60",
};

describe.each(Object.entries(NUMBERS))("%s", (name, good) => {
  test.each(ODD)("refuses %j", (typed) => {
    const says = `${name} must be a whole number from `;
    expect(() => readConfig({ [name]: typed })).toThrow(says);
    expect(() => readConfig({ [name]: typed })).toThrow(
      `in plain digits, not ${JSON.stringify(typed)}.`,
    );
  });

  test("takes plain digits, and the default if it is empty", () => {
    const usual = readConfig({});
    expect(readConfig({ [name]: good })).not.toEqual(usual);
    for (const empty of ["", " "]) expect(readConfig({ [name]: empty })).toEqual(usual);
  });
});

test.each(["quotes=0x10", "quotes=1e3", "quotes= 80", "quotes=080", "quotes=+8"])(
  "a rate limit is a number in plain digits, too: %s",
  (RATE_LIMITS) => {
    expect(() => readConfig({ RATE_LIMITS })).toThrow(
      /RATE_LIMITS must be on, off, or name=number/,
    );
  },
);

const folder = mkdtempSync(join(tmpdir(), "start-problem-"));
const notes = join(folder, "notes.txt");
writeFileSync(notes, "This is no database. ".repeat(50));
const others = join(folder, "others.db");
new BetterSqlite3(others).exec("create table orders (id int)").close();

const says = async (env: Record<string, string>): Promise<string> => {
  const error = await startService(env).catch((cause: unknown) => cause);
  return startProblem(error);
};

test.each<[string, Record<string, string>, string]>([
  ["a file that is no database", { DATABASE_URL: `sqlite:${notes}` }, "file is not a database"],
  [
    "another program's database",
    { DATABASE_URL: `sqlite:${others}` },
    "another program's database",
  ],
  ["a folder", { DATABASE_URL: `sqlite:${folder}` }, "directory"],
  [
    "a server with a certificate that is not there",
    { DATABASE_URL: "postgres://127.0.0.1:1/a?sslmode=verify-full&sslrootcert=/proc/x.pem" },
    "/proc/x.pem",
  ],
])("%s as the database is refused with the reason", async (_, env, reason) => {
  const said = await says(env);
  expect(said).toMatch(/^The database cannot be opened: .*\. Check DATABASE_URL\.$/);
  expect(said).toContain(reason);
  expect(said.split("\n")).toHaveLength(1);
});

test.each(["a/b", "notes.txt/x"])(
  "a database in the missing folder %s is refused",
  async (path) => {
    const missing = join(folder, path);
    expect(await says({ DATABASE_URL: `sqlite:${missing}/a.db` })).toBe(
      `DATABASE_URL: there is no folder ${missing}. Create it, or correct the path.`,
    );
  },
);

test("an unresolvable host name is named", async () => {
  const said = await says({ HOST: "shop.invalid", ALLOW_PUBLIC_SANDBOX: "on" });
  expect(said).toMatch(/^HOST "shop\.invalid" is not an address .*\.$/);
});

test("an empty MERCHANT_SECRET and an invalid MERCHANT_API_KEY are refused", () => {
  expect(() => readConfig({ MERCHANT_SECRET: "" })).toThrow(
    "MERCHANT_SECRET must be 128 random bits, in at least 32 characters",
  );
  expect(() => readConfig({ MERCHANT_API_KEY: "foo" })).toThrow(
    "MERCHANT_API_KEY must be an agent",
  );
});

test("a foreign address and a metrics port in use are named", async () => {
  const elsewhere = await says({ HOST: "192.0.2.1", ALLOW_PUBLIC_SANDBOX: "on" });
  expect(elsewhere).toMatch(/^Cannot listen on HOST and PORT: .*EADDRNOTAVAIL.*\.$/);
  const other = createServer();
  onTestFinished(() => void other.close());
  const taken = String(await listenLocally(other));
  const metrics = await says({ METRICS_PORT: taken });
  expect(metrics).toMatch(/^Cannot listen on METRICS_PORT \d+: .*EADDRINUSE.*\.$/);
});

test.each(["300.1.1.1", "http://localhost", "localhost:80", "a/b"])(
  "%s is not a HOST to listen on",
  (host) => {
    expect(() => readConfig({ HOST: host })).toThrow("HOST must be an address or name");
    expect(() => readConfig({ METRICS_HOST: host })).toThrow("METRICS_HOST must be");
  },
);

test("every start validates the catalog file", async () => {
  const DATABASE_URL = `sqlite:${join(folder, "shop.db")}`;
  expect(await says({ DATABASE_URL, CATALOG_FILE: notes })).toContain("is not valid");
  await (await startService({ DATABASE_URL })).stop();
  expect(await says({ DATABASE_URL, CATALOG_FILE: notes })).toContain("is not valid");
});

test.each(Object.keys(Environment.shape))("%s in quotation marks is refused in words", (name) => {
  for (const value of ['"some value of sixteen"', "'on'", ' "3000" ', '""']) {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} is in quotation marks`);
    // No secret is repeated.
    expect(() => readConfig({ [name]: value })).not.toThrow("sixteen");
  }
});

test("quotation marks within a value stay", () => {
  const secret = 'a "quoted" word inside a long enough secret';
  expect(readConfig({ MERCHANT_SECRET: secret }).merchantSecret).toBe(secret);
  expect(() => readStripe({ STRIPE_SECRET_KEY: '"rk_test_1"' })).toThrow("STRIPE_SECRET_KEY is in");
});

test.each([
  ["CORS_ORIGINS", "app.example"],
  ["CORS_ORIGINS", "https://app.example/"],
  ["CORS_ORIGINS", "https://app.example, https://*.example"],
  ["ALLOWED_HOSTS", "*"],
  ["ALLOWED_HOSTS", "shop.example, two words"],
])("%s=%s could never match, and is refused", (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`);
});

test("origins and host names in browsers' format are accepted", () => {
  const origins = "https://app.example, http://localhost:8080, chrome-extension://abcdef";
  const hosts = "tunnel.example, shop:8443, https://other.example";
  const config = readConfig({ CORS_ORIGINS: origins, ALLOWED_HOSTS: hosts });
  expect([config.corsOrigins, config.allowedHosts].map((list) => list.length)).toEqual([3, 3]);
  expect(readConfig({ CORS_ORIGINS: "*" }).corsOrigins).toEqual(["*"]);
});

test.each([
  ["DATABASE_URL", "postgres://shop:my#secret@db/shop"],
  ["SMTP_URL", "smtp://shop:my#secret@mail.example:587"],
  ["SMTP_URL", "smtp://shop:my/secret@mail.example:587"],
  ["SMTP_URL", "smtp://shop:my?secret@mail.example:587"],
  ["SMTP_URL", "smtp://mail.example:70000"],
])(
  "%s=%s is refused with how to write a password, and the password is not repeated",
  (name, value) => {
    const read = () => readConfig({ [name]: value, MAIL_FROM: "shop@example.com" });
    expect(read).toThrow(new RegExp(`${name} must be .*in a password # / \\? % are written %23`));
    expect(read).not.toThrow("secret");
  },
);

test("a time zone is normalized to its IANA name, or refused", () => {
  expect(readConfig({ TIME_ZONE: "europe/berlin" }).timeZone).toBe("Europe/Berlin");
  for (const TIME_ZONE of ["+02:00", "-05:00", "Mars", "CST", "EST5EDT"]) {
    expect(() => readConfig({ TIME_ZONE })).toThrow("TIME_ZONE must be UTC or an IANA");
  }
});

test.each([
  [",", "PAYMENT_METHODS must be Stripe's names"],
  ["link", "PAYMENT_METHODS needs card or us_bank_account"],
])("PAYMENT_METHODS=%s without a usable method is refused", (PAYMENT_METHODS, says) => {
  expect(() => readConfig({ PAYMENT_METHODS })).toThrow(says);
});

const STRIPE = {
  PAYMENT_PROVIDER: "stripe",
  STRIPE_SECRET_KEY: "rk_test_1",
  STRIPE_WEBHOOK_SECRETS: "whsec_1",
  BASE_URL: "https://coffee.example",
};

const LIVE = { ...STRIPE, STRIPE_SECRET_KEY: "rk_live_1" };

test.each<[string, Record<string, string>, RegExp]>([
  ["limits that are off", { RATE_LIMITS: "off" }, /RATE_LIMITS=off/],
  ["a test key in production", { ...STRIPE, NODE_ENV: "production" }, /with a Stripe test key/],
  ["real money without a support address", LIVE, /SUPPORT_EMAIL is not set/],
  ["an unused key", { STRIPE_SECRET_KEY: "rk_test_1" }, /not used/],
  ["a public demo", { ALLOW_PUBLIC_SANDBOX: "on", HOST: "0.0.0.0" }, /takes play money/],
  ["a public name over http", { ...STRIPE, BASE_URL: "http://coffee.example" }, /exposes keys/],
  ["http on every interface", { ...STRIPE, BASE_URL: "", HOST: "::" }, /exposes keys/],
  ["links that others cannot open", { ...STRIPE, BASE_URL: "", HOST: "::" }, /every link leads to/],
])("%s: warned about", (_, env, says) => {
  expect(startWarnings(readConfig(env)).join("\n")).toMatch(says);
});

test.each<[string, Record<string, string>]>([
  ["the defaults of npm start", {}],
  ["a test key outside production", STRIPE],
  [
    "real money over https",
    { ...LIVE, NODE_ENV: "production", SUPPORT_EMAIL: "us@coffee.example" },
  ],
  ["https in front of every interface", { ...STRIPE, HOST: "0.0.0.0" }],
])("%s: no warning", (_, env) => {
  expect(startWarnings(readConfig(env))).toEqual([]);
});

test("a misspelled parameter of a PostgreSQL address is named", () => {
  const said = (query: string) =>
    unknownSettings({ DATABASE_URL: `postgres://us:pw@db.example/shop${query}` });
  expect(said("?sslmod=verify-full&foo=bar")).toEqual([
    "?sslmod in DATABASE_URL has no effect.",
    "?foo in DATABASE_URL has no effect.",
  ]);
  expect(said("?sslmode=verify-full&channel_binding=require&application_name=shop")).toEqual([]);
});

test("a variable that resembles a setting is named", () => {
  const typos = ["BASE_URl", "MERCHANT_KEY", "STRIPE_WEBHOOK_SECRET", "PROT", "QUOTE_TTL"];
  const others = [
    "PATH",
    "HOME",
    "HOSTNAME",
    "TZ",
    "MAIL",
    "NODE_OPTIONS",
    "MERCHANT_SERVICE_HOST",
  ];
  const said = unknownSettings(
    Object.fromEntries([...typos, ...others].map((name) => [name, "x"])),
  );
  expect(said).toEqual([
    "BASE_URl is not a setting and has no effect. Did you mean BASE_URL?",
    "MERCHANT_KEY is not a setting and has no effect.",
    "STRIPE_WEBHOOK_SECRET is not a setting and has no effect. Did you mean STRIPE_WEBHOOK_SECRETS?",
    "PROT is not a setting and has no effect. Did you mean PORT?",
    "QUOTE_TTL is not a setting and has no effect. Did you mean QUOTE_TTL_HOURS?",
  ]);
  expect(unknownSettings(process.env)).toEqual([]);
});

test.each([
  ["SMTP_URL", "smtp://us:pw@mail.example:587?requireTLS=no"],
  ["DATABASE_URL", "sqlite:./data/merchant.db?mode=ro"],
  ["MERCHANT_SECRET", "a".repeat(40)],
  ["MERCHANT_SECRET", "correct-horse-battery-staple-12"],
  ["PLATFORM_ADDRESSES", "203.0.113.7"],
  ["PLATFORM_ADDRESSES", "203.0.113.0/33"],
  ["PLATFORM_ADDRESSES", "2001:db8::/32,agent.example"],
])("%s=%s would not do what it seems to, and is refused", (name, value) => {
  const env = name === "SMTP_URL" ? { MAIL_FROM: "us@coffee.example" } : {};
  expect(() => readConfig({ ...env, [name]: value })).toThrow(`${name} must`);
});

test.each([
  [{ NODE_ENV: "prod" }, "Did you mean production?"],
  [{ METRICS_HOST: "0.0.0.0" }, "METRICS_HOST has no effect without METRICS_PORT."],
])("%j is started with a warning", (env, says) => {
  expect(unknownSettings(env)).toEqual([expect.stringContaining(says)]);
});
