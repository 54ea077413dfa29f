import { inject } from "vitest";

export type Engine = "sqlite" | "postgres";

let current: Engine | undefined;

/** Which database a whole service gets where a test names none: what this run, or this suite, is about. */
export const engine = (): Engine => current ?? inject("onlyEngine") ?? "sqlite";

/** From now on in this worker: see on-each-engine.ts. */
export function useEngine(wanted: Engine): void {
  current = wanted;
}
