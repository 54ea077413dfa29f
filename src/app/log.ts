import { fstatSync, write, writeSync } from "node:fs";
import { type DestinationStream, type Logger, pino } from "pino";
import { MerchantError } from "../core/errors.ts";
import { MailFailed } from "../core/letter.ts";
import { BadSignature, ProviderRejected, ProviderUnavailable } from "../payments/provider.ts";

/** Structured log lines on stderr: stdout belongs to MCP on stdio and to commands with --json. */
export const createLog = (level: string, out: DestinationStream = onStderr()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorOf, err: errorOf },
    },
    out,
  );

/** What waits for a slow reader at most; lines after that are dropped, and counted. */
const MOST_WAITING_BYTES = 1_048_576;

/**
 * Never waited for: a log that is not read, or a slow disk, must not stop the shop. A file is written
 * in the background; a pipe takes what it takes and the rest waits here, up to a bound.
 */
function onStderr(): DestinationStream {
  stderr ??= linesUntilExit(isFile(2) ? fileLines(2) : boundedLines(process.stderr));
  return stderr;
}

/** What the last turn had to say is written, too. */
function linesUntilExit(lines: WaitingLines): DestinationStream {
  process.once("exit", lines.flush);
  return lines;
}

/** There is one, however many logs write to it. */
let stderr: DestinationStream | undefined;

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

const NEWLINE = 10;

/** Lines that wait somewhere, and are written at the latest by `flush`. */
type WaitingLines = DestinationStream & { flush(): void };

const droppedLine = (dropped: number): string => {
  const level = "warn";
  const time = new Date().toISOString();
  return `${JSON.stringify({ level, time, dropped, msg: "log lines were dropped" })}\n`;
};

/**
 * Lines in a file, written in the background. What a full disk refuses is dropped, and counted once it
 * takes lines again: pino's own writer ends the process there, or waits for room and stands still.
 */
function fileLines(fd: number): WaitingLines {
  let dropped = 0;
  let waiting: string[] = [];
  let length = 0;
  let writing = false;
  const take = (): Buffer => {
    const lines = waiting.join("");
    waiting = [];
    length = 0;
    // The last line that was taken may have been cut.
    return Buffer.from(dropped > 0 ? `\n${droppedLine(dropped)}${lines}` : lines);
  };
  const next = () => {
    if (writing || waiting.length === 0) return;
    writing = true;
    const before = dropped;
    const count = waiting.length;
    const lines = take();
    write(fd, lines, (error, taken) => {
      writing = false;
      // A disk that becomes full takes the beginning.
      const cut = lines.subarray(taken).filter((byte) => byte === NEWLINE).length;
      dropped += error ? count : cut - before;
      next();
    });
  };
  return {
    write(line) {
      if (length + line.length > MOST_WAITING_BYTES) {
        dropped++;
        return;
      }
      if (waiting.push(line) === 1) setImmediate(next);
      length += line.length;
    },
    flush() {
      if (waiting.length === 0) return;
      try {
        writeSync(fd, take());
      } catch {
        // The process ends, and what could not be written with it.
      }
    },
  };
}

type Lines = Pick<NodeJS.WriteStream, "write" | "writableLength" | "once" | "on">;

/**
 * Drops lines instead of keeping them without a bound; says afterwards how many. The lines of one turn of
 * the event loop are one write: a call to the system costs more than making a line.
 */
export function boundedLines(out: Lines, most = MOST_WAITING_BYTES): WaitingLines {
  let dropped = 0;
  let turn = "";
  // A reader that has gone is no reason to end.
  out.on("error", () => {});
  const tell = () => {
    const line = droppedLine(dropped);
    dropped = 0;
    out.write(line);
  };
  const flush = () => {
    if (turn !== "") out.write(turn);
    turn = "";
  };
  return {
    write(line) {
      if (out.writableLength + turn.length + line.length > most) {
        if (dropped++ === 0) out.once("drain", tell);
        return;
      }
      if (turn === "") setImmediate(flush);
      turn += line;
    },
    flush,
  };
}

/**
 * Of an error its kind and place: a message may quote what a stranger sent. Our own refusals, the
 * provider's and the mail server's are told in words, without what could name a person.
 */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const told = [MerchantError, ProviderRejected, ProviderUnavailable, BadSignature, MailFailed];
  const at = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim());
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(told.some((kind) => error instanceof kind) && { reason: words(error.message) }),
    at,
    ...(cause instanceof Error && { cause: errorOf(cause) }),
  };
}

const MOST_CHARACTERS = 300;

/** Addresses, long numbers and keys are left out. */
const words = (message: string): string =>
  message
    .slice(0, MOST_CHARACTERS)
    .replace(/[^\s"'<>]+@[^\s"'<>]+/g, "…@…")
    .replace(/\d[\d -]{5,}\d/g, "…")
    .replace(/\b\w*(sk|rk|whsec|cma|desk|fk)_\w+/g, "…");
