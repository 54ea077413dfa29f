import { KeyRefused, ProviderUnavailable } from "../../provider.ts";

/** A walk of steps, one line each: what was found, or what is wrong and what to do about it. */
export interface VerifyStep {
  name: string;
  /** Next step for the owner; may depend on the refusal that the step met. */
  advice: string | ((error: unknown) => string);
  /** What was found, in a few words; throws what is wrong. */
  run(): Promise<string>;
}

export class VerificationFailed extends Error {
  override name = "Wrong";
}

/** One line at a time; no secret is in any. */
export type Print = (line: string) => void;

/** How a step went; "no way": for a reason that every other step would fail for too. */
type Outcome = "ok" | "failed" | "no way";

const KEY_UNKNOWN =
  "Stripe does not know this key: copy it again, whole, from Developers, API keys, in test mode.";
const NO_ANSWER =
  "Is this machine online, and can it reach api.stripe.com? See https://status.stripe.com; run it again.";
const LIMITED = "Stripe limits the calls of this account. Wait a minute, then run it again.";
const STRIPE_FAILED = "Stripe failed. See https://status.stripe.com, then run it again.";
const UNREADABLE =
  "The answer lacks a field that the shop reads. A proxy may have changed it; otherwise report this output.";

/** Advice for a failure that every other step would meet too; null for the step's own failure. */
function adviceBeyond(error: unknown): string | null {
  if (!(error instanceof ProviderUnavailable)) return null;
  const { cause } = error as { cause?: { statusCode?: number } };
  const status = cause?.statusCode;
  if (error instanceof KeyRefused) return status === 401 ? KEY_UNKNOWN : null;
  if (cause === undefined) return UNREADABLE;
  if (status === 429) return LIMITED;
  return status !== undefined && status >= 500 ? STRIPE_FAILED : NO_ANSWER;
}

/** Everything that is thrown is a failure of the step. */
async function take({ name, advice, run }: VerifyStep, print: Print): Promise<Outcome> {
  try {
    print(`ok    ${name}: ${await run()}`);
    return "ok";
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown failure";
    const beyond = adviceBeyond(error);
    print(`FAIL  ${name}: ${why}`);
    print(`      ${beyond ?? (typeof advice === "string" ? advice : advice(error))}`);
    return beyond === null ? "failed" : "no way";
  }
}

/**
 * The steps in turn; how many failed. Where all that follow would fail alike they are left out;
 * `eachNeeded`: each stands on the one before, so the first that fails ends it.
 */
export async function runSteps(
  steps: readonly VerifyStep[],
  print: Print,
  { eachNeeded = false } = {},
): Promise<number> {
  let failed = 0;
  for (const [i, step] of steps.entries()) {
    const outcome = await take(step, print);
    if (outcome === "ok") continue;
    failed++;
    if (outcome !== "no way" && !eachNeeded) continue;
    const left = steps.slice(i + 1).map(({ name }) => name);
    if (left.length > 0) print(`skip  ${left.join(", ")}`);
    break;
  }
  return failed;
}
