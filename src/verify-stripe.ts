/** `npm run verify:stripe [-- --pay]`: see payments/verify. Needs a Stripe test key in the environment. */
import { parseArgs } from "node:util";
import { readStripe } from "./app/config.ts";
import { calledWith } from "./app/data-folder.ts";
import { verifyStripe } from "./payments/stripe/verify.ts";

const USAGE = `Usage: ${calledWith("verify-stripe")} [--pay]

Tries a Stripe test key, as STRIPE_SECRET_KEY has it: what it may do, and whether Stripe would charge
what the shop agrees. With --pay also a payment, which you make on a page with a test card, and its
refunds. No webhook secret is needed. STRIPE_CHECKOUT_DOMAIN and PAYMENT_METHODS are taken as a start
takes them.
`;

export async function verify(words: readonly string[]): Promise<number> {
  const options = { pay: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  let wanted: { pay?: boolean; help?: boolean };
  try {
    wanted = parseArgs({ args: [...words], options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (wanted.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const asked = { ...readStripe(process.env), pay: wanted.pay ?? false };
  const right = await verifyStripe(asked, (line) => void process.stdout.write(`${line}\n`));
  return right ? 0 : 1;
}
