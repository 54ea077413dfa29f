/** What a start says of settings that are allowed and seldom meant. */
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
  ["a test key in production", { ...STRIPE, NODE_ENV: "production" }, /with a TEST key/],
  ["real money and no address for questions", LIVE, /SUPPORT_EMAIL is not set/],
  ["a key that nothing uses", { STRIPE_SECRET_KEY: "rk_test_1" }, /not used/],
  ["a demo that others reach", { ALLOW_PUBLIC_SANDBOX: "on", HOST: "0.0.0.0" }, /no money moves/],
  ["http by a public name", { ...STRIPE, BASE_URL: "http://coffee.example" }, /in clear/],
  ["http on every interface", { ...STRIPE, BASE_URL: "", HOST: "::" }, /in clear/],
  ["links that others cannot open", { ...STRIPE, BASE_URL: "", HOST: "::" }, /every link leads to/],
])("%s: said", (_, env, says) => {
  expect(startWarnings(readConfig(env)).join("\n")).toMatch(says);
});

test.each<[string, Record<string, string>]>([
  ["what npm start alone does", {}],
  ["a test key where nothing claims to be production", STRIPE],
  [
    "real money over https",
    { ...LIVE, NODE_ENV: "production", SUPPORT_EMAIL: "us@coffee.example" },
  ],
  ["https in front of every interface", { ...STRIPE, HOST: "0.0.0.0" }],
])("%s: nothing to say", (_, env) => {
  expect(startWarnings(readConfig(env))).toEqual([]);
});

test("a variable that looks like a setting and is none is named", () => {
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
