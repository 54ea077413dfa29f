import type { Decision, Read, Write } from "../core/command.ts";
import { withFollowUps } from "../core/desk-tasks.ts";
import { Overlay, type WriteStep } from "./overlay.ts";
import { GuardFailed, type Job, KeyTaken, noRoom } from "./store.ts";

/** What became of one command; not answered before COMMIT. */
export type CommandOutcome =
  | { job: Job; kind: "accepted"; reply: unknown }
  | { job: Job; kind: "refused"; error: unknown }
  /** Lost against a neighbour in its own batch, or against a row that it had not read. */
  | { job: Job; kind: "again"; error: unknown };

export interface BatchDecision {
  outcomes: CommandOutcome[];
  /** What the accepted ones do, one by one, … */
  writes: Write[];
  /** … and what that comes to, row by row. */
  changes: WriteStep[];
}

/** Rows to be loaded into the overlay before the deciding goes on. */
export interface RowsNeeded {
  overlay: Overlay;
  reads: readonly Read[];
}

export type HasRoom = (bytes: number) => boolean;

/**
 * Decides these commands one after the other, for one transaction: what all of them read is loaded
 * first, then each is decided on what the ones before it left. The engine that runs it loads the rows
 * that it asks for and writes the changes that it ends with: SQLite at once, PostgreSQL in its time.
 */
export function* decideAll(
  jobs: readonly Job[],
  hasRoom: HasRoom,
): Generator<RowsNeeded, BatchDecision, void> {
  const overlay = new Overlay();
  const outcomes: CommandOutcome[] = [];
  const asked = jobs.flatMap((job) => {
    try {
      return [{ job, reads: job.rule.reads(job.command) }];
    } catch (error) {
      outcomes.push({ job, kind: "refused", error });
      return [];
    }
  });
  yield { overlay, reads: asked.flatMap(({ reads }) => reads) };
  const writes: Write[] = [];
  for (const { job, reads } of asked) {
    let decision: Decision<unknown>;
    try {
      decision = withFollowUps(job.rule.decide(job.command, overlay.state(reads)));
      if (decision.room !== undefined && !hasRoom(decision.room)) throw noRoom();
    } catch (error) {
      outcomes.push({ job, kind: "refused", error });
      continue;
    }
    // Rows that the rule changes without having asked for them under lock.
    const targets = overlay.unlocked(decision.writes);
    if (targets.length > 0) yield { overlay, reads: targets };
    try {
      overlay.apply(decision.writes);
    } catch (error) {
      const lost = error instanceof GuardFailed || error instanceof KeyTaken;
      outcomes.push({ job, kind: lost ? "again" : "refused", error });
      continue;
    }
    writes.push(...decision.writes);
    outcomes.push({ job, kind: "accepted", reply: decision.reply });
  }
  return { outcomes, writes, changes: overlay.changes() };
}

/** Answers a command whose transaction is durable. */
export function settle(outcome: CommandOutcome): void {
  if (outcome.kind === "accepted") outcome.job.resolve(outcome.reply);
  else outcome.job.reject(outcome.error);
}
