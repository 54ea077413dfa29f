/**
 * Permissions of a restricted key, named as in Stripe's dashboard, each with a call that needs it. The calls
 * change nothing, because their objects do not exist.
 */
import Stripe from "stripe";
import { KeyRefused, ProviderRejected } from "../provider.ts";
import { asProviderError } from "./answers.ts";

export interface Permission {
  /** Row in the dashboard's list of permissions, and the column to tick. */
  name: string;
  level: "Write" | "Read";
  /** The shop's reason to need it. */
  use: string;
  ask(stripe: Stripe): Promise<unknown>;
}

/** No object has such an id. */
const NONE = "coffee_merchant_permission_check";

export const PERMISSIONS: readonly Permission[] = [
  {
    name: "Checkout Sessions",
    level: "Write",
    use: "open payment pages, close them, read and list them",
    ask: (stripe) => stripe.checkout.sessions.expire(`cs_test_${NONE}`),
  },
  {
    name: "Coupons",
    level: "Write",
    use: "take the discount off the total",
    ask: (stripe) => stripe.coupons.update(NONE, { name: NONE }),
  },
  {
    name: "Charges and Refunds",
    level: "Write",
    use: "refund, and read how each refund stands",
    ask: (stripe) => stripe.refunds.create({ payment_intent: `pi_${NONE}` }),
  },
  {
    name: "PaymentIntents",
    level: "Write",
    use: "capture an authorized payment or release it",
    ask: (stripe) => stripe.paymentIntents.cancel(`pi_${NONE}`),
  },
  {
    name: "Disputes",
    level: "Read",
    use: "read whether a dispute is open, won or lost",
    ask: (stripe) => stripe.disputes.list({ limit: 1 }),
  },
];

/** "Checkout Sessions (Write), …", for people who create the key. */
export const KEY_PERMISSIONS = PERMISSIONS.map(({ name, level }) => `${name} (${level})`).join(
  ", ",
);

/** Stripe's refusal, or null if the key has the permission. Throws if Stripe does not answer. */
export async function refusalOf(permission: Permission, stripe: Stripe): Promise<string | null> {
  try {
    await permission.ask(stripe);
    return null;
  } catch (error) {
    const as = asProviderError(error);
    // A key with the permission gets "No such object".
    if (as instanceof ProviderRejected) return null;
    const forbidden = error instanceof Stripe.errors.StripeError && error.statusCode === 403;
    if (as instanceof KeyRefused && forbidden) return as.message;
    throw as;
  }
}

/**
 * Stops the start if the provider refuses the key, because buyers could not pay. A provider that does not
 * answer stops nothing: orders can be read, and /healthz reports it. A wrong clock is a warning, too.
 */
export async function checkKey(
  check: () => Promise<string | null>,
  warn: (message: string, error?: unknown) => void = () => {},
): Promise<void> {
  const problem = await check().catch((error: unknown) => {
    if (error instanceof KeyRefused) throw error;
    warn("the payment provider does not answer yet", error);
    return null;
  });
  if (problem !== null) warn(problem);
}

/** Throws KeyRefused with all missing permissions, each with Stripe's refusal. */
export async function checkPermissions(stripe: Stripe): Promise<void> {
  const refusals = await Promise.all(PERMISSIONS.map((one) => refusalOf(one, stripe)));
  const lacking = PERMISSIONS.flatMap(({ name, level, use }, i) =>
    refusals[i] === null ? [] : [`  - ${name}: ${level}, to ${use}. ${refusals[i]}`],
  );
  if (lacking.length > 0) {
    throw new KeyRefused(`The key lacks permissions:\n${lacking.join("\n")}\n`);
  }
}
