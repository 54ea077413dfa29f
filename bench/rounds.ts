import type { Plan } from "./options.ts";
import { createProgress } from "./progress.ts";

const WARM_UP_SECONDS = 2;

/**
 * All subjects side by side: every round measures each once, so that a noisy moment hits them all. A
 * round before them warms up. `before`: what each round needs to be there.
 */
export async function inRounds<T extends { label: string }, S>(
  subjects: readonly T[],
  { rounds, seconds }: Pick<Plan, "rounds" | "seconds">,
  measure: (subject: T, seconds: number) => Promise<S>,
  before = async () => {},
): Promise<Map<T, S[]>> {
  const samples = new Map(subjects.map((subject): [T, S[]] => [subject, []]));
  const progress = createProgress(subjects.length * (rounds + 1));
  for (let round = 0; round <= rounds; round++) {
    await before();
    for (const subject of turned(subjects, round)) {
      const name = round === 0 ? "warming up" : `round ${round} of ${rounds}`;
      progress.step(`${name}: ${subject.label}`);
      const sample = await measure(subject, round === 0 ? WARM_UP_SECONDS : seconds);
      if (round > 0) samples.get(subject)!.push(sample);
    }
  }
  progress.done();
  return samples;
}

/** Another first one in every round, so that none always follows the same neighbour. */
const turned = <T>(list: readonly T[], by: number): T[] => [
  ...list.slice(by % list.length),
  ...list.slice(0, by % list.length),
];
