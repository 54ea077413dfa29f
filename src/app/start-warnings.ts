import { isLoopback } from "../core/client-address.ts";
import type { Config } from "./config.ts";
import { applying } from "./config-fields.ts";

/** What is allowed and yet seldom meant, said where the service starts. */
export function startWarnings(config: Config): string[] {
  const { payments, production, baseUrl } = config;
  return applying([
    [!config.rateLimits, "RATE_LIMITS=off: nothing limits callers. For load tests only."],
    [
      production && payments.mode === "test",
      "NODE_ENV=production with a TEST key: buyers pay nothing, and every order here is play. Set a " +
        "live STRIPE_SECRET_KEY, on a database of its own.",
    ],
    [
      payments.mode === "live" && config.supportEmail === undefined,
      "SUPPORT_EMAIL is not set: buyers without an agent cannot write to the shop.",
    ],
    [
      payments.provider === "sandbox" && payments.secretKey !== "",
      "STRIPE_SECRET_KEY is set and not used: with PAYMENT_PROVIDER=sandbox no money moves.",
    ],
    [
      payments.provider === "sandbox" && payments.allowPublicSandbox && config.public,
      "ALLOW_PUBLIC_SANDBOX=on: others reach this shop, and no money moves in it.",
    ],
    [
      config.public && baseUrl.startsWith("http:"),
      "Others reach this service over http: keys, addresses and the desk's secret travel in clear. " +
        "Put https in front and set BASE_URL.",
    ],
    [
      config.public && !config.baseUrlIsSet && isLoopback(new URL(baseUrl).hostname),
      `BASE_URL is not set: every link leads to ${baseUrl}, which only this machine can open.`,
    ],
  ]);
}
