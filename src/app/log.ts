import { write, writeSync } from "node:fs";
import { Socket } from "node:net";
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

/** Characters that may wait for a slow reader. Further lines are dropped and counted. */
const MOST_WAITING = 1_048_576;

/** The one writer of all logs. */
let stderr: DestinationStream | undefined;

/**
 * Writes without waiting, because an unread log or a slow disk must not stop the shop. pino's own writer costs
 * 1.5 times as much a line, and never lets a process exit whose disk is full or whose log is not read.
 */
function onStderr(): DestinationStream {
  if (!stderr) {
    const { put, putLast } =
      process.stderr instanceof Socket ? streamSink(process.stderr) : fileSink(2);
    const lines = boundedLines(put);
    process.once("exit", () => lines.flush(putLast));
    stderr = lines;
  }
  return stderr;
}

/** Writes text, then reports how much of it has been taken: a full disk takes the beginning or nothing. */
type Put = (text: Buffer, done: (taken: number) => void) => void;

interface Sink {
  put: Put;
  /** Writes as the process exits. */
  putLast: (text: Buffer) => unknown;
}

/** Writes in the background, unlike Node's own stream on a file. */
const fileSink = (fd: number): Sink => ({
  put: (text, done) => write(fd, text, (_error, taken = 0) => done(taken)),
  putLast: (text) => writeSync(fd, text),
});

function streamSink(out: NodeJS.WriteStream): Sink {
  // A reader that exits must not end this process.
  out.on("error", () => {});
  return {
    put: (text, done) => out.write(text, (error) => done(error ? 0 : text.length)),
    putLast: (text) => out.write(text),
  };
}

const droppedLine = (dropped: number): string => {
  const level = "warn";
  const time = new Date().toISOString();
  return `${JSON.stringify({ level, time, dropped, msg: "log lines were dropped" })}\n`;
};

const NEWLINE = 10;

/** Lines wait this long for the next ones: a write costs more than building a line. */
const GATHER_MS = 10;

/**
 * Drops lines beyond `most` waiting characters, and later logs their number. All lines of a moment, or of the
 * last write, are one write.
 */
export function boundedLines(put: Put, most = MOST_WAITING) {
  let dropped = 0;
  let waiting = "";
  /** Length of the running write. */
  let writing = 0;
  /** Whether the last written line is incomplete. */
  let isCut = false;
  const take = () => {
    const report = dropped > 0 ? `${isCut ? "\n" : ""}${droppedLine(dropped)}` : "";
    const text = Buffer.from(report + waiting);
    waiting = "";
    return { text, reported: dropped, reportLength: report.length };
  };
  const next = () => {
    if (writing > 0) return;
    const { text, reported, reportLength } = take();
    writing = text.length;
    put(text, (taken) => {
      writing = 0;
      if (taken > 0) isCut = taken < text.length;
      if (taken >= reportLength) dropped -= reported;
      const lost = text.subarray(Math.max(taken, reportLength));
      dropped += lost.filter((byte) => byte === NEWLINE).length;
      if (waiting !== "" || (taken === text.length && dropped > 0)) next();
    });
  };
  return {
    write(line: string): void {
      if (writing + waiting.length + line.length > most) {
        dropped++;
        return;
      }
      if (waiting === "" && writing === 0) setTimeout(next, GATHER_MS);
      waiting += line;
    },
    flush(putLast: Sink["putLast"]): void {
      try {
        if (waiting !== "") putLast(take().text);
      } catch {
        // These lines are lost.
      }
    },
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
