/** `npm run verify:stripe [-- --pay]`: see payments/stripe/verify.ts. */
import { parseArgs } from "node:util";
import { readStripe } from "./app/config.ts";
import { calledWith } from "./app/data-folder.ts";
import { verifyStripe } from "./payments/stripe/verify.ts";

const USAGE = `Usage: ${calledWith("verify-stripe")} [--pay]

Checks the Stripe test key in STRIPE_SECRET_KEY: its permissions, and whether Stripe would charge the
agreed totals. --pay also opens two pages, which you pay with a test card. One payment is refunded, the
other released.
STRIPE_CHECKOUT_DOMAIN and PAYMENT_METHODS apply if set. No webhook secret is needed.
`;

export async function verify(words: readonly string[]): Promise<number> {
  const options = { pay: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  let flags: { pay?: boolean; help?: boolean };
  try {
    flags = parseArgs({ args: [...words], options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (flags.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const settings = { ...readStripe(process.env), pay: flags.pay ?? false };
  const right = await verifyStripe(settings, (line) => void process.stdout.write(`${line}\n`));
  return right ? 0 : 1;
}
