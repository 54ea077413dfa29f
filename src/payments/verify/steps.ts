/** A walk of steps, one line each: what was found, or what is wrong and what to do about it. */
export interface VerifyStep {
  name: string;
  /** What to do where it fails. */
  advice: string;
  /** What was found, in a few words; throws what is wrong. */
  run(): Promise<string>;
}

/** Something that a step found wrong, said in full. */
export class VerificationFailed extends Error {
  override name = "Wrong";
}

/** One line at a time; no secret is in any. */
export type Print = (line: string) => void;

/** False where the step failed. Everything that is thrown is a failure of the step. */
async function take({ name, advice, run }: VerifyStep, print: Print): Promise<boolean> {
  try {
    print(`ok    ${name}: ${await run()}`);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown failure";
    print(`FAIL  ${name}: ${why}`);
    print(`      ${advice}`);
    return false;
  }
}

/** Each step whatever became of the others; how many failed. */
export async function runSteps(steps: readonly VerifyStep[], print: Print): Promise<number> {
  let failed = 0;
  for (const step of steps) if (!(await take(step, print))) failed++;
  return failed;
}

/** Each step stands on the one before: the first that fails ends the walk. How many failed. */
export async function walk(steps: readonly VerifyStep[], print: Print): Promise<number> {
  for (const [i, step] of steps.entries()) {
    if (await take(step, print)) continue;
    const left = steps.slice(i + 1).map(({ name }) => name);
    if (left.length > 0) print(`skip  ${left.join(", ")}`);
    return 1;
  }
  return 0;
}
