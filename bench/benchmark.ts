import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, type ChildOptions, startChild } from "./child.ts";

/** What one run works with, all of it gone at its end. */
export interface Bench {
  /** Where the databases live. */
  folder: string;
  start(script: string, options?: ChildOptions): Child;
  /** Done at the end, the last one first. */
  atEnd(close: () => Promise<unknown>): void;
}

export async function benchmark(run: (bench: Bench) => Promise<void>): Promise<never> {
  const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const atEnd: Bench["atEnd"] = (close) => void closers.unshift(close);
  const start: Bench["start"] = (script, options) => {
    const child = startChild(script, options);
    atEnd(child.stop);
    return child;
  };
  try {
    await run({ folder, start, atEnd });
  } finally {
    for (const close of closers) await close();
  }
  process.exit();
}
