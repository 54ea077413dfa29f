import { channel } from "node:diagnostics_channel";

/** One durable transaction that commands shared. */
export interface CommitStats {
  commands: number;
  /** Milliseconds from its beginning until it was durable. */
  ms: number;
}

const commits = channel("coffee-merchant:commit");

/** Told of every commit of this process, for metrics. Answers how not to be told any more. */
export function onCommit(listener: (committed: CommitStats) => void): () => void {
  const told = (message: unknown) => listener(message as CommitStats);
  commits.subscribe(told);
  return () => void commits.unsubscribe(told);
}

/** Says that a transaction which began at `since` (of `performance`) is durable now. */
export function committed(commands: number, since: number): void {
  if (!commits.hasSubscribers) return;
  const message: CommitStats = { commands, ms: performance.now() - since };
  commits.publish(message);
}
