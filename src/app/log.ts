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

/** Bytes that may wait for a slow reader. Further lines are dropped and counted. */
const MOST_WAITING_BYTES = 1_048_576;

/** The one writer of all logs. */
let stderr: WaitingLines | undefined;

/**
 * Writes without waiting, because an unread log or a slow disk must not stop the shop. Files are written in
 * the background. pino's own writer would wait for room on a full disk, also when the process exits.
 */
function onStderr(): DestinationStream {
  if (!stderr) {
    stderr = isFile(2) ? fileLines(2) : boundedLines(process.stderr);
    process.once("exit", stderr.flush);
  }
  return stderr;
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

const NEWLINE = 10;

/** A writer whose waiting lines are written by `flush` at the latest. */
type WaitingLines = DestinationStream & { flush(): void };

const droppedLine = (dropped: number): string => {
  const level = "warn";
  const time = new Date().toISOString();
  return `${JSON.stringify({ level, time, dropped, msg: "log lines were dropped" })}\n`;
};

/** Writes to a file in the background. Drops the lines that a full disk refuses, and later logs their number. */
function fileLines(fd: number): WaitingLines {
  let dropped = 0;
  let waiting: string[] = [];
  let length = 0;
  let writing = false;
  const take = (): Buffer => {
    const lines = waiting.join("");
    waiting = [];
    length = 0;
    // The last written line may be incomplete.
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
      // A disk that fills up takes the beginning.
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
        // The process exits, and these lines are lost.
      }
    },
  };
}

type Lines = Pick<NodeJS.WriteStream, "write" | "writableLength" | "once" | "on">;

/**
 * Drops lines beyond `most` waiting bytes, and later logs their number. All lines of one turn of the event
 * loop are one write, because a system call costs more than building a line.
 */
export function boundedLines(out: Lines, most = MOST_WAITING_BYTES): WaitingLines {
  let dropped = 0;
  let turn = "";
  // A reader that exits must not end this process.
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
 * Logs an error's kind and place only, because a message may quote a stranger. Our own errors and those of
 * the provider and the mail server are logged in words, without anything that could name a person.
 */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const explained = [
    MerchantError,
    ProviderRejected,
    ProviderUnavailable,
    BadSignature,
    MailFailed,
  ];
  const at = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5)
    .map((line) => line.trim());
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(explained.some((kind) => error instanceof kind) && { reason: masked(error.message) }),
    at,
    ...(cause instanceof Error && { cause: errorOf(cause) }),
  };
}

const MOST_CHARACTERS = 300;

/** Masks addresses, long numbers and keys. */
const masked = (message: string): string =>
  message
    .slice(0, MOST_CHARACTERS)
    .replace(/[^\s"'<>]+@[^\s"'<>]+/g, "…@…")
    .replace(/\d[\d -]{5,}\d/g, "…")
    .replace(/\b\w*(sk|rk|whsec|cma|desk|fk)_\w+/g, "…");
