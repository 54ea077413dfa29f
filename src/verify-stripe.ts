/** `npm run verify:stripe`: see payments/verify.ts. Needs a Stripe test key in the environment. */

import { verifyStripe } from "./payments/verify.ts";
import { readConfig } from "./server/config.ts";

export async function verify(): Promise<number> {
  const { payments } = readConfig(process.env);
  const right = await verifyStripe({ secretKey: payments.stripeSecretKey }, (line) => {
    process.stdout.write(`${line}\n`);
  });
  return right ? 0 : 1;
}
