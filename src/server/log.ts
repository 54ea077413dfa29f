import { destination, type Logger, pino } from "pino";

/** Structured log lines on stderr: stdout belongs to MCP on stdio and to commands with --json. */
export const createLog = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: errorOf, err: errorOf },
    },
    destination({ fd: 2, sync: true }),
  );

/** Of an error its kind and place only: a message may quote what a stranger sent. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code } = error as { code?: unknown };
  const at = error.stack
    ?.split("\n")
    .slice(1, 6)
    .map((line) => line.trim());
  return { name: error.name, ...(code !== undefined && { code }), at };
}
