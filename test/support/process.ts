import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { CHILD_ENV, COMMAND, ROOT } from "./command.ts";

export interface Process {
  baseUrl: string;
  /** Sends a signal, waits for the exit and returns how it ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGSTOP freezes it, SIGCONT continues it. */
  signal(signal: NodeJS.Signals): void;
  /** Its log so far. */
  log(): string;
}

/** It lives for seconds, and with this much room nothing is collected during a start. */
const ROOMY = ["--min-semi-space-size=32", "--max-semi-space-size=32"];

/** Starts `npm start` of this tree or another, or another command that serves. Resolves once it serves. */
export async function startProcess(
  env: { PORT: string; DATABASE_URL: string; [name: string]: string },
  { cwd = ROOT, command = [COMMAND, "start"] } = {},
): Promise<Process> {
  const child = spawn(process.execPath, [...ROOMY, ...command], {
    cwd,
    env: { ...CHILD_ENV, RATE_LIMITS: "off", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log = await untilOpen(child);
  const gone = once(child, "exit");
  return {
    baseUrl: `http://127.0.0.1:${env.PORT}`,
    log,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      const [code, by] = await gone;
      return { code, signal: by };
    },
  };
}

async function untilOpen(child: ChildProcess): Promise<() => string> {
  let said = "";
  child.stderr!.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on("data", (text: string) => {
      said += text;
      if (said.includes("open for business")) resolve();
    });
    child.once("exit", () => reject(new Error(`it did not start:\n${said}`)));
  });
  return () => said;
}
