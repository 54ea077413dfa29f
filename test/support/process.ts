import { spawn } from "node:child_process";
import { once } from "node:events";
import { CHILD_ENV, COMMAND, ROOT } from "./command.ts";
import { freePort } from "./loopback.ts";
import { eventually, send } from "./shopper.ts";

export interface Process {
  baseUrl: string;
  /** Also the id of its group, if it has one of its own. */
  pid: number;
  /** Sends a signal, waits for the exit and returns how it ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGSTOP freezes it, SIGCONT continues it. */
  signal(signal: NodeJS.Signals): void;
  /** Its log so far, if it is kept. */
  log(): string;
}

export interface ProcessOptions {
  cwd?: string;
  /** Node by default. */
  program?: string;
  /** Words of a command that serves; `start` of the built command by default. */
  command?: readonly string[];
  /** The log: kept, written into a pipe that nobody reads, or into an open file. */
  log?: "kept" | "unread" | number;
  /** Starts a group of its own. */
  detached?: boolean;
}

/** It lives for seconds, and with this much room nothing is collected during a start. */
const ROOMY = ["--min-semi-space-size=32", "--max-semi-space-size=32"];

/** Starts the service as a process, on a free port by default. Resolves once it serves. */
export async function startProcess(
  env: { DATABASE_URL: string; [name: string]: string },
  options: ProcessOptions = {},
): Promise<Process> {
  const { cwd = ROOT, program, command = [COMMAND, "start"], log = "kept" } = options;
  const { detached = false } = options;
  const port = env.PORT ?? (await freePort());
  const words = program ? command : [...ROOMY, ...command];
  const child = spawn(program ?? process.execPath, words, {
    ...{ cwd, detached },
    env: { ...CHILD_ENV, RATE_LIMITS: "off", LOG_LEVEL: "info", ...env, PORT: port },
    stdio: ["pipe", "ignore", typeof log === "number" ? log : "pipe"],
  });
  let said = "";
  if (log === "kept") child.stderr!.setEncoding("utf8").on("data", (text) => (said += text));
  const gone = once(child, "exit");
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`it did not start:\n${said}`);
    // The kept log tells when it also handles signals.
    if (log === "kept") return said.includes("open for business");
    return (await send(baseUrl, "/healthz").catch(() => undefined))?.status === 200;
  }).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    baseUrl,
    pid: child.pid!,
    log: () => said,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      const [code, by] = await gone;
      return { code, signal: by };
    },
  };
}
