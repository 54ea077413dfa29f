/** Warnings about settings that are allowed but rarely intended. */
import { expect, test } from "vitest";
import { readConfig, unknownSettings } from "../../src/app/config.ts";
import { startWarnings } from "../../src/app/start.ts";

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

test("a variable that resembles a setting is named", () => {
  const typos = ["BASE_URl", "MERCHANT_KEY", "STRIPE_WEBHOOK_SECRET", "PROT"];
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
  ]);
  expect(unknownSettings(process.env)).toEqual([]);
});
