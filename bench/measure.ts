import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { progressOn } from "../src/cli/progress.ts";

export interface Plan {
  seconds: number;
  rounds: number;
  connections: number;
  buyers: number;
}

/** A subject of a section. Ratios compare two subjects within the same round. */
export interface Subject<Sample> {
  label: string;
  /** Label of the subject that this one is compared with. */
  versus?: string;
  /** Value that the ratio divides. Defaults to the first value of the section. */
  ratioOf?: (sample: Sample) => number;
  measure(seconds: number): Promise<Sample>;
}

/** One line of the table: measurement, median, ratio, and what the ratio compares with. */
export type Row = [label: string, result: string, ratio: string, versus: string];

const WARM_UP_SECONDS = 2;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Measures every subject once per round, so that a noisy moment hits them all, and starts each round
 * with another subject. An extra round warms up.
 */
export async function inRounds<Sample>(
  subjects: readonly Subject<Sample>[],
  { rounds, seconds }: Pick<Plan, "rounds" | "seconds">,
  { ratioOf, show }: { ratioOf: (sample: Sample) => number; show(samples: Sample[]): string },
): Promise<Row[]> {
  const progress = progressOn(process.stderr);
  const samples = new Map(subjects.map(({ label }): [string, Sample[]] => [label, []]));
  for (let round = 0; round <= rounds; round++) {
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(i + round) % subjects.length]!;
      const done = round * subjects.length + i;
      progress(done, subjects.length * (rounds + 1), subject.label);
      const sample = await subject.measure(round === 0 ? WARM_UP_SECONDS : seconds);
      if (round > 0) samples.get(subject.label)!.push(sample);
    }
  }
  progress(1, 1, "done");
  return subjects.map(({ label, versus = "", ratioOf: of = ratioOf }, i) => {
    const own = samples.get(label)!;
    const base = samples.get(versus) ?? [];
    const ratio = median(base.map((sample, round) => of(own[round]!) / of(sample)));
    const isAbove = versus !== "" && subjects[i - 1]?.label === versus;
    return [label, show(own), versus && `${ratio.toFixed(2)}×`, isAbove ? "row above" : versus];
  });
}

/** Resources of one run. Everything is closed at its end, the last first. */
export interface Bench extends Plan {
  folder: string;
  /** `root`: another checkout than this one. */
  start(script: string, root?: string): Child;
  atEnd(close: () => Promise<unknown>): void;
}

export async function benchmark<T>(plan: Plan, run: (bench: Bench) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
  const closers = [() => rm(folder, { recursive: true, force: true })];
  const atEnd: Bench["atEnd"] = (close) => void closers.unshift(async () => void (await close()));
  const start: Bench["start"] = (script, root) => {
    const bench = root === undefined ? import.meta.url : pathToFileURL(join(root, "bench/"));
    const child = startChild(fileURLToPath(new URL(script, bench)));
    atEnd(child.stop);
    return child;
  };
  try {
    return await run({ ...plan, folder, start, atEnd });
  } finally {
    for (const close of closers) await close();
  }
}

/** A process of its own, so that its CPU time is its own. Answers one message at a time. */
export interface Child {
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
}

function startChild(script: string): Child {
  const child: ChildProcess = fork(script, {
    // V8's settings under `npm start`.
    execArgv: ["--max-semi-space-size=16", "--no-parallel-scavenge"],
    // The service writes its log lines. Where they go is not measured.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return {
    ask: <T>(message: object) =>
      new Promise<T>((resolve, reject) => {
        const fail = (code: number | null) => reject(new Error(`${script} exited with ${code}`));
        child.once("exit", fail);
        child.once("message", (answer) => {
          child.off("exit", fail);
          const { error } = answer as { error?: string };
          if (error === undefined) resolve(answer as T);
          else reject(new Error(`${script}: ${error}`));
        });
        child.send(message);
      }),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** Answers each message from the parent process. */
export function answerParent<Ask>(answer: (ask: Ask) => Promise<object>): void {
  process.on("message", async (ask: Ask) => {
    process.send?.(await answer(ask).catch(({ stack }: Error) => ({ error: stack })));
  });
  process.on("disconnect", () => process.exit(0));
}
