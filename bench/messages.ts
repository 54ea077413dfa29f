import type { InProcess, Variant } from "./variants.ts";

/** What the measuring process asks of a server in a process of its own. */
export type Ask =
  | { do: "open"; variant: Variant; file: string; shop?: { catalogFile: string } }
  | { do: "cpu" }
  | { do: "run"; what: InProcess; seconds: number; connections: number }
  | { do: "quote"; beans: readonly string[]; count: number };

/** Quotes that wait for their buyers: the paths of their review pages. */
export interface CreatedQuote {
  reviews: string[];
}

/** What is to be sent to, and as whom. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  /** Unless it is a quote's request. */
  send?: { method: "GET" | "POST"; body?: string };
}

export interface Load {
  target: Target;
  connections: number;
  seconds: number;
  /** Where pay is pressed, each once; without them, quotes are asked for. */
  reviews?: readonly string[];
}

/** One stretch of load on one subject. */
export interface Stretch {
  done: number;
  failed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Throws where an answer was not as it should be, or none came. */
export function expectGood({ done, failed }: Stretch): void {
  if (failed === 0 && done > 0) return;
  throw new Error(`${failed} of ${done} answers were not as they should be`);
}

export interface Sample extends Stretch {
  /** Processor time of the server for each answer, user and system. */
  cpuMs: number;
}
