import { unavailable } from "../store.ts";

/** Busy for too long, no room, no disk, or a file that cannot be written now. */
const GONE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL)/;

/** What the caller is told: that the store does not answer, or the error as it is. */
export function answerFor(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === "string" && GONE.test(code)) return unavailable(error);
  // drizzle wraps what the driver threw, with the values of the statement in its message.
  return error instanceof Error && error.name === "DrizzleQueryError" && cause
    ? answerFor(cause)
    : error;
}
