/** Settings that a start refuses before anybody can pay, and its warnings. */
import { describe, expect, it, test } from "vitest";
import { ConfigError, readConfig, readStripe } from "../../src/app/config.ts";
import { startProblem } from "../../src/app/start.ts";
import { PaymentModeError } from "../../src/merchant/installation.ts";
import { KeyRefused, ProviderUnavailable } from "../../src/payments/provider.ts";
import { checkKey, KEY_PERMISSIONS } from "../../src/payments/stripe/permissions.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { startService } from "../support/service.ts";

const STRIPE = {
  PAYMENT_PROVIDER: "stripe",
  STRIPE_SECRET_KEY: "rk_test_1",
  STRIPE_WEBHOOK_SECRETS: "whsec_1,whsec_2",
};

const problem = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

describe("the environment", () => {
  test.each<[string, Record<string, string>, string]>([
    ["a live key over plain http", { STRIPE_SECRET_KEY: "sk_live_1" }, "BASE_URL with https"],
    [
      "a live restricted key over plain http",
      { STRIPE_SECRET_KEY: "rk_live_1", BASE_URL: "http://coffee.example" },
      "BASE_URL with https",
    ],
    ["no key", { STRIPE_SECRET_KEY: "" }, KEY_PERMISSIONS],
    ["a publishable key", { STRIPE_SECRET_KEY: "pk_test_1" }, KEY_PERMISSIONS],
    ["no webhook secret", { STRIPE_WEBHOOK_SECRETS: " , " }, "needs STRIPE_WEBHOOK_SECRETS"],
    ["a key for a webhook secret", { STRIPE_WEBHOOK_SECRETS: "sk_1" }, "starts with whsec_"],
    [
      "an address for a checkout domain",
      { STRIPE_CHECKOUT_DOMAIN: "https://pay.coffee.example/x" },
      "STRIPE_CHECKOUT_DOMAIN must be a host name only",
    ],
    [
      "ways to pay in people's words",
      { PAYMENT_METHODS: "card,Apple Pay" },
      "PAYMENT_METHODS must be",
    ],
  ])("of Stripe with %s is refused, and the message says what is needed", (_, env, says) => {
    expect(problem({ ...STRIPE, ...env })).toContain(says);
  });

  test.each<[string, Record<string, string>]>([
    ["beside a live key", { STRIPE_SECRET_KEY: "sk_live_1" }],
    ["beside a live restricted key", { STRIPE_SECRET_KEY: "rk_live_1" }],
    ["in production", { NODE_ENV: "production" }],
    ["at an address that others reach", { BASE_URL: "https://coffee.example" }],
    ["at an address in the house", { BASE_URL: "http://192.168.1.4:3000" }],
    ["at an address that only looks local", { BASE_URL: "http://127.0.0.1.example" }],
    ["listening to everybody, as a container does", { HOST: "0.0.0.0" }],
    ["listening to everybody on IPv6", { HOST: "::" }],
    ["listening to the house", { HOST: "192.168.1.4", BASE_URL: "http://localhost:3000" }],
  ])("of the sandbox %s is refused", (_, env) => {
    expect(problem(env)).toContain("PAYMENT_PROVIDER=sandbox");
  });

  test.each<[string, Record<string, string>]>([
    ["Stripe with a test key over http", STRIPE],
    [
      "Stripe with a live key over https",
      { ...STRIPE, STRIPE_SECRET_KEY: "rk_live_1", BASE_URL: "https://coffee.example" },
    ],
    ["the sandbox at localhost", { BASE_URL: "http://localhost:3000" }],
    ["the sandbox at [::1]", { BASE_URL: "http://[::1]:3000" }],
    ["the sandbox listening to this machine", { HOST: "::1" }],
    [
      "a public demo that says so",
      {
        BASE_URL: "https://demo.example",
        NODE_ENV: "production",
        ALLOW_PUBLIC_SANDBOX: "on",
      },
    ],
  ])("of %s is fine", (_, env) => {
    expect(problem(env)).toBe("");
  });

  it("with a payment method that the sandbox does not know is refused", () => {
    expect(problem({ PAYMENT_METHODS: "card,klarna" })).toContain("not klarna");
    expect(problem({ ...STRIPE, PAYMENT_METHODS: "card,klarna" })).toBe("");
  });

  it("sets payment methods and checkout domain even before there is a webhook secret", () => {
    const env = {
      STRIPE_SECRET_KEY: "rk_test_1",
      STRIPE_CHECKOUT_DOMAIN: "pay.coffee.example",
      PAYMENT_METHODS: "card, us_bank_account",
    };
    const of = {
      paymentMethods: ["card", "us_bank_account"],
      extraCheckoutOrigins: ["https://pay.coffee.example"],
    };
    expect(readStripe({ ...env, PAYMENT_PROVIDER: "stripe" })).toMatchObject({
      secretKey: "rk_test_1",
      ...of,
    });
    expect(readConfig({ ...STRIPE, ...env }).payments).toMatchObject(of);
  });

  it("with a public sandbox and a live key is always refused", () => {
    const env = { ALLOW_PUBLIC_SANDBOX: "on", STRIPE_SECRET_KEY: "sk_live_1" };
    expect(problem(env)).toContain("STRIPE_SECRET_KEY is live");
  });
});

describe("a start", () => {
  it("with another payment mode than the database's is refused", async () => {
    const { url } = await lastingDatabase();
    await (await startService({ DATABASE_URL: url })).stop();
    // Refused before any call to Stripe.
    const other = startService({ DATABASE_URL: url, ...STRIPE });
    const error = await other.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(PaymentModeError);
    expect(startProblem(error)).toContain('holds "sandbox" payments');
  });

  it("with a refused key fails and names the missing permissions", async () => {
    const refused = checkKey(() => Promise.reject(new KeyRefused("The provider refuses our key.")));
    const error = await refused.catch((cause: unknown) => cause);
    expect(startProblem(error)).toContain(KEY_PERMISSIONS);
  });

  it("continues during a provider outage, so that orders can be read", async () => {
    const told: unknown[][] = [];
    const away = () => Promise.reject(new ProviderUnavailable("no answer"));
    await checkKey(away, (...words) => told.push(words));
    expect(told).toEqual([[expect.any(String), expect.any(ProviderUnavailable)]]);
  });
});
