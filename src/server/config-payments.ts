import { isLoopback } from "../domain/shared/client-address.ts";
import { KEY_PERMISSIONS } from "../payments/permissions.ts";

/** What the environment says of payments, as far as it has to fit together. */
interface PaymentEnvironment {
  PAYMENT_PROVIDER: "sandbox" | "stripe";
  STRIPE_SECRET_KEY: string | undefined;
  HOST: string | undefined;
  BASE_URL: string | undefined;
  PAYMENT_METHODS: string | undefined;
  ALLOW_PUBLIC_SANDBOX: "on" | "off";
  NODE_ENV: string | undefined;
}

/** Real money needs the right keys over https; play money must never meet real keys. */
export const paymentProblems = (e: PaymentEnvironment, webhookSecrets: string[]): string[] =>
  e.PAYMENT_PROVIDER === "sandbox" ? sandboxProblems(e) : stripeProblems(e, webhookSecrets);

const isLive = (key: string | undefined): boolean => /^(sk|rk)_live_/.test(key ?? "");

const SANDBOX_METHODS: ReadonlySet<string> = new Set(["card", "link", "us_bank_account"]);

const methodsOf = ({ PAYMENT_METHODS }: PaymentEnvironment): string[] =>
  (PAYMENT_METHODS ?? "").split(",").flatMap((name) => name.trim() || []);

function sandboxProblems(e: PaymentEnvironment): string[] {
  const problems: string[] = [];
  if (isLive(e.STRIPE_SECRET_KEY)) {
    problems.push("PAYMENT_PROVIDER=sandbox beside a live STRIPE_SECRET_KEY is refused.");
  }
  const odd = methodsOf(e).filter((name) => !SANDBOX_METHODS.has(name));
  if (odd.length > 0) {
    const known = [...SANDBOX_METHODS].join(", ");
    problems.push(`The sandbox knows the PAYMENT_METHODS ${known}, not ${odd.join(", ")}.`);
  }
  if (e.ALLOW_PUBLIC_SANDBOX === "on") return problems;
  const allow = "ALLOW_PUBLIC_SANDBOX=on allows a public demo, where no money moves.";
  if (e.NODE_ENV === "production") {
    problems.push(`PAYMENT_PROVIDER=sandbox with NODE_ENV=production is refused; ${allow}`);
  }
  const by = publicAddress(e);
  if (by)
    problems.push(`PAYMENT_PROVIDER=sandbox at a ${by} that others reach is refused; ${allow}`);
  return problems;
}

/**
 * The setting by which other machines reach this one; null where none can. A container listens on
 * 0.0.0.0 without a BASE_URL, and is as public as its network.
 */
export function publicAddress(e: Pick<PaymentEnvironment, "HOST" | "BASE_URL">): string | null {
  const named = e.BASE_URL && URL.canParse(e.BASE_URL) ? new URL(e.BASE_URL).hostname : "localhost";
  if (!isLoopback(named)) return "BASE_URL";
  return isLoopback(e.HOST ?? "localhost") ? null : `HOST (${e.HOST})`;
}

function stripeProblems(e: PaymentEnvironment, webhookSecrets: string[]): string[] {
  const problems: string[] = [];
  if (!/^(sk|rk)_(test|live)_/.test(e.STRIPE_SECRET_KEY ?? "")) {
    problems.push(
      "PAYMENT_PROVIDER=stripe needs STRIPE_SECRET_KEY: sk_… or, better, a restricted rk_… key with " +
        `these permissions: ${KEY_PERMISSIONS}.`,
    );
  }
  if (webhookSecrets.length === 0) {
    problems.push("PAYMENT_PROVIDER=stripe needs STRIPE_WEBHOOK_SECRETS, whsec_… comma-separated.");
  }
  if (webhookSecrets.some((secret) => !secret.startsWith("whsec_"))) {
    problems.push("Every one of STRIPE_WEBHOOK_SECRETS starts with whsec_.");
  }
  if (isLive(e.STRIPE_SECRET_KEY) && !(e.BASE_URL ?? "http:").startsWith("https:")) {
    problems.push("A live STRIPE_SECRET_KEY needs a BASE_URL with https.");
  }
  return problems;
}
