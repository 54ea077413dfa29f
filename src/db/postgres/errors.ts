import { MerchantError } from "../../core/errors.ts";
import { GuardFailed, KeyTaken } from "../overlay.ts";
import { unavailable } from "../store.ts";

/** Kind of a failure, which decides the next step. */
export type Failure =
  /** Lost against another transaction: decide again on current rows. */
  | "race"
  /** A unique key was taken meanwhile, or a rule is wrong: decide again, then report it. */
  | "taken"
  /** Waited too long for another transaction's lock. */
  | "waited"
  /** No connection, or a server that takes no writes now. */
  | "gone"
  /** Anything else: another try would not help. */
  | "final";

/** An error of a statement, and the statement's table. */
export class StatementFailed extends Error {
  override name = "StatementFailed";
  readonly code: string | undefined;
  readonly table: string | undefined;
  /** There was no connection, or it ended before COMMIT was sent. Nothing is written. */
  uncommitted = false;
  readonly waitedMs: number;

  constructor(cause: unknown, table: string | undefined, waitedMs = 0) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { code, table: named } = cause as { code?: string; table?: string };
    this.code = code;
    this.table = named ?? table;
    this.waitedMs = waitedMs;
  }

  /** The database did not answer at all. pg has no code for that. */
  get timedOut(): boolean {
    return this.message === "Query read timeout";
  }

  /** A connection that was open has ended, so another one may answer. */
  get disconnected(): boolean {
    return failureOf(this) === "gone" && !/timeout/.test(this.message);
  }
}

const FAILURES: [Failure, RegExp][] = [
  ["race", /^(40001|40P01)$/],
  ["waited", /^(55P03|57014)$/],
  ["taken", /^23505$/],
  // Classes 08 connection, 28 login, 3D no such database, 53 resources, 57P shutdown, 58 system;
  // 55000: the database takes no connections; 25006: the server is read-only; 25P03, 25P04: it has
  // ended our transaction.
  ["gone", /^(08...|28...|3D...|53...|57P..|58...|55000|25006|25P0[34])$/],
];

export function failureOf(error: unknown): Failure {
  if (error instanceof GuardFailed) return "race";
  if (error instanceof KeyTaken) return "taken";
  if (!(error instanceof StatementFailed)) return "final";
  const { code } = error;
  // The server's codes have five characters with a digit, unlike EPIPE. Others are of the network.
  if (code === undefined || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return "gone";
  return FAILURES.find(([, codes]) => codes.test(code))?.[0] ?? "final";
}

export const isDiskFull = (error: unknown): boolean =>
  error instanceof StatementFailed && error.code === "53100";

/** The caller's error after the last try. */
export function answerFor(error: unknown): unknown {
  const failure = failureOf(error);
  const failed = error instanceof StatementFailed ? error : undefined;
  // An idempotency key is locked or taken only while its first request is running.
  const isKey = failed?.table === "idempotency";
  // Any other key that stays taken is a rule's mistake.
  if (failure === "final" || (failure === "taken" && !isKey)) return failed ? failed.cause : error;
  if (!isKey || failure === "gone") return unavailable(error);
  const message =
    "A request with this Idempotency-Key is in progress. Send it again with the same key.";
  const inFlight = new MerchantError("IDEMPOTENCY_IN_FLIGHT", message, { retryAfter: 1 });
  return Object.assign(inFlight, { cause: error });
}

/** The driver's error, which drizzle's error has as its cause. */
export function driverError(error: unknown, waitedMs = 0): StatementFailed {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return new StatementFailed(cause, undefined, waitedMs);
}

export function readFailed(error: unknown): unknown {
  const failed = driverError(error);
  return failureOf(failed) === "final" ? failed.cause : unavailable(failed.cause);
}
