import { isLoopback } from "../core/client-address.ts";
import { KEY_PERMISSIONS } from "../payments/stripe/permissions.ts";
import type { Environment } from "./config.ts";
import { applying, list } from "./config-fields.ts";

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
