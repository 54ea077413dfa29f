import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { CHILD_ENV, COMMAND, ROOT } from "./command.ts";

export interface Process {
  baseUrl: string;
  /** Ends it and waits until it is gone; answers how it went. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGSTOP makes it stand still where it is, SIGCONT lets it go on. */
  signal(signal: NodeJS.Signals): void;
  /** What it has written to its log so far. */
  log(): string;
}

/** It lives for seconds: with room for all that a start makes, nothing of it is collected. */
const ROOMY = ["--min-semi-space-size=32", "--max-semi-space-size=32"];

/**
 * `npm start` as a process of its own, of this tree or another, or another command that serves; resolves
 * once it is open for business.
 */
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
