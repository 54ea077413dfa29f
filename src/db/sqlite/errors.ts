import { unavailable } from "../store.ts";

/** Busy for too long, no room, no disk, a file that cannot be written now, or is none any more. */
const GONE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|PROTOCOL|CORRUPT|NOTADB)/;

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
};

/** Another connection is writing. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

/** What is read is no database, or no whole one. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error)) ||
  (error instanceof Error && error.cause !== undefined && isDamage(error.cause));

/** What the caller is told: that the store does not answer, or the error as it is. */
export function answerFor(error: unknown): unknown {
  if (GONE.test(codeOf(error))) return unavailable(error);
  const { cause } = error as { cause?: unknown };
  // drizzle wraps what the driver threw, with the values of the statement in its message.
  return error instanceof Error && error.name === "DrizzleQueryError" && cause
    ? answerFor(cause)
    : error;
}
