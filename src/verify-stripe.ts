/** `npm run verify:stripe`: see payments/verify.ts. Needs a Stripe test key in the environment. */

import { verifyStripe } from "./payments/verify.ts";
import { readConfig } from "./server/config.ts";

const { payments } = readConfig(process.env);
const right = await verifyStripe({ secretKey: payments.stripeSecretKey }, (line) => {
  process.stdout.write(`${line}\n`);
});
process.exitCode = right ? 0 : 1;
