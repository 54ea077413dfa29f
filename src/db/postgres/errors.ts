import { MerchantError } from "../../core/errors.ts";
import { GuardFailed, KeyTaken, unavailable } from "../store.ts";

/** What a failed command means for what is done next. */
export type Failure =
  /** Lost against a neighbour: decide again on what is there now. */
  | "race"
  /** A unique key was taken meanwhile, or a rule is wrong: decide again, then believe it. */
  | "taken"
  /** Waited too long for somebody else's lock. */
  | "waited"
  /** No connection, or a server that takes no writes now. */
  | "gone"
  /** Everything else: no second try would help. */
  | "final";

/** An error that the database reported, and the table whose statement met it. */
export class StatementFailed extends Error {
  override name = "StatementFailed";
  readonly code: string | undefined;
  readonly table: string | undefined;
  /** Its connection was gone before COMMIT went out: nothing is written, whatever happened. */
  uncommitted = false;

  constructor(cause: unknown, table: string | undefined) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { code, table: named } = cause as { code?: string; table?: string };
    this.code = code;
    this.table = named ?? table;
  }
}

const RACES = new Set(["40001", "40P01"]);
const WAITED = new Set(["55P03", "57014"]);

/**
 * Classes 08 connection, 28 login, 3D no such database, 53 resources, 57P shutdown, 58 system;
 * 55000: the database takes no connections; 25006: the server only reads; 25P03, 25P04: it has ended
 * our transaction.
 */
const GONE = /^(08...|28...|3D...|53...|57P..|58...|55000|25006|25P0[34])$/;

export function failureOf(error: unknown): Failure {
  if (error instanceof GuardFailed) return "race";
  if (error instanceof KeyTaken) return "taken";
  if (!(error instanceof StatementFailed)) return "final";
  const { code } = error;
  // What the server says has five characters, a digit among them, which tells it from EPIPE; anything
  // else is the driver's or the network's.
  if (code === undefined || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return "gone";
  if (RACES.has(code)) return "race";
  if (WAITED.has(code)) return "waited";
  if (code === "23505") return "taken";
  return GONE.test(code) ? "gone" : "final";
}

export const isDiskFull = (error: unknown): boolean =>
  error instanceof StatementFailed && error.code === "53100";

const inFlight = (cause: unknown): MerchantError =>
  Object.assign(
    new MerchantError(
      "IDEMPOTENCY_IN_FLIGHT",
      "A request with this Idempotency-Key is under way. Send it again with the same key.",
      { retryAfter: 1 },
    ),
    { cause },
  );

/** What the caller is told where trying again within the store has come to its end. */
export function answerFor(error: unknown): unknown {
  const failure = failureOf(error);
  // The same key again and again is no race: it surfaces as the mistake it is.
  const key = error instanceof StatementFailed && error.table === "idempotency";
  if (failure === "final" || (failure === "taken" && !key)) return original(error);
  return key && failure !== "gone" ? inFlight(error) : unavailable(error);
}

/** The driver's error, which drizzle has as the cause of its own, and what it means. */
export function whyOf(error: unknown) {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return { cause, failure: failureOf(new StatementFailed(cause, undefined)) };
}

export function readFailed(error: unknown): unknown {
  const { cause, failure } = whyOf(error);
  return failure === "final" ? cause : unavailable(cause);
}

const original = (error: unknown): unknown =>
  error instanceof StatementFailed ? error.cause : error;
