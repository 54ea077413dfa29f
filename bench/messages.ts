import type { Variant } from "./variants.ts";

/** What the measuring process asks of a server in a process of its own. */
export type Ask =
  | { do: "open"; variant: Variant; file: string }
  | { do: "cpu" }
  | { do: "run"; seconds: number; inFlight: number };

/** What autocannon is to send. */
export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface Load {
  target: Target;
  connections: number;
  seconds: number;
}

/** One stretch of load on one variant. */
export interface Stretch {
  done: number;
  failed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}
