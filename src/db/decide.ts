import type { Decision, Read, Rule, Write } from "../core/command.ts";
import { MerchantError } from "../core/errors.ts";
import { withFollowUps } from "../core/follow-ups.ts";
import { currentPayer, type Payer, type Written } from "../core/payer.ts";
import { ROOM } from "../core/policy.ts";
import type { OutboxRow } from "../core/records.ts";
import { GuardFailed, KeyTaken, Overlay, type WriteStep } from "./overlay.ts";

/** A queued command with its promise. */
export interface Job {
  rule: Rule<unknown, unknown>;
  command: unknown;
  /** Whoever caused it, until its cost is taken. */
  payer: Payer | undefined;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

/** Queues a command and promises its reply. */
export const promiseReply = <C, R>(
  rule: Rule<C, R>,
  command: C,
  enqueue: (job: Job) => void,
): Promise<R> =>
  new Promise<R>((resolve, reject) => {
    const payer = currentPayer();
    const job = { rule, command, payer, resolve, reject } as unknown as Job;
    enqueue(job);
  });

/** A decided command. Its caller gets the reply after COMMIT. */
export type CommandOutcome =
  | { job: Job; kind: "accepted"; reply: unknown }
  | { job: Job; kind: "refused"; error: unknown }
  /** Lost against a neighbor in its own batch, or against a row that it had not read. */
  | { job: Job; kind: "again"; error: unknown };

export interface BatchDecision {
  outcomes: CommandOutcome[];
  /** Writes of the accepted commands, in order. */
  writes: Write[];
  /** Their net effect, at most one step a row. */
  changes: WriteStep[];
}

/** Rows to load into the overlay before deciding goes on. */
export interface RowsNeeded {
  overlay: Overlay;
  reads: readonly Read[];
}

/** Whether the disk has this many bytes free, as far as the engine knows. */
export type HasRoom = (bytes: number) => boolean;

const NO_ROOM =
  "The disk is nearly full, so new requests are refused. Paid orders are safe. Try again later.";

/**
 * Decides commands one after the other for one transaction. The rows that all of them read are loaded
 * first; each command then sees the writes of those before it. The engine loads the rows this asks for
 * and writes the resulting changes, synchronously on SQLite and asynchronously on PostgreSQL.
 */
export function* decideAll(
  jobs: readonly Job[],
  hasRoom: HasRoom,
): Generator<RowsNeeded, BatchDecision, void> {
  const overlay = new Overlay();
  const outcomes: CommandOutcome[] = [];
  const readable = jobs.flatMap((job) => {
    try {
      return [{ job, reads: job.rule.reads(job.command) }];
    } catch (error) {
      outcomes.push({ job, kind: "refused", error });
      return [];
    }
  });
  yield { overlay, reads: readable.flatMap(({ reads }) => reads) };
  const writes: Write[] = [];
  for (const { job, reads } of readable) {
    let decision: Decision<unknown>;
    try {
      decision = withFollowUps(job.rule.decide(job.command, overlay.state(reads)));
      if (decision.room !== undefined && !hasRoom(decision.room)) {
        throw new MerchantError("STORE_UNAVAILABLE", NO_ROOM, { retryAfter: 60 });
      }
      takeCost(job, decision);
    } catch (error) {
      outcomes.push({ job, kind: "refused", error });
      continue;
    }
    // Rows that the rule changes without having locked them.
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

/** Takes the cost of a command once, also if it is decided again. Only offers are refused for it. */
function takeCost(job: Job, { writes, room = 0 }: Decision<unknown>): void {
  const { payer } = job;
  if (!payer || writes.length === 0) return;
  job.payer = undefined;
  payer(costOf(writes), room < ROOM.offers_bytes);
}

function costOf(writes: readonly Write[]): Written {
  let [bytes, messages] = [0, 0];
  for (const write of writes) {
    const values: object = write.op === "insert" ? write.row : write.set;
    for (const value of Object.values(values)) {
      bytes += typeof value === "string" ? Buffer.byteLength(value) : NUMBER_BYTES;
    }
    if (write.op === "insert" && write.table === "outbox" && isFree(write.row)) messages++;
  }
  return { bytes, messages };
}

const NUMBER_BYTES = 8;

/** Letters about orders cost money, and offers go to others. */
const isFree = ({ kind, order_id }: OutboxRow): boolean =>
  order_id === null && kind !== "WAITLIST_OFFER";

/** Answers a command whose transaction is durable. */
export function settle(outcome: CommandOutcome): void {
  if (outcome.kind === "accepted") outcome.job.resolve(outcome.reply);
  else outcome.job.reject(outcome.error);
}
