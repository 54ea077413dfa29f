import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** How a command is begun: as it is published, or from the sources, stripping their types. */
export const WAYS = {
  source: ["node", "src/coffee-merchant.ts"],
  // As npm start has it.
  built: ["node", "--max-semi-space-size=16", "dist/coffee-merchant.js"],
} as const;

export type Way = keyof typeof WAYS;

export interface Begun {
  child: ChildProcess;
  /** Milliseconds from the spawn to what was waited for. */
  ms: number;
}

const begin = (command: readonly string[], env: Record<string, string>) => {
  const [file = "", ...words] = command;
  const { PATH = "", HOME = "" } = process.env;
  const all = { PATH, HOME, LOG_LEVEL: "silent", RATE_LIMITS: "off", ...env };
  // In a group of its own: npm passes no signal on to what it has started.
  const how = { cwd: ROOT, env: all, detached: true } as const;
  return spawn(file, words, { ...how, stdio: ["pipe", "pipe", "ignore"] });
};

/** Runs to the end; how long that took. */
export async function toEnd(command: readonly string[], env = {}): Promise<number> {
  const began = performance.now();
  const child = begin(command, env);
  child.stdout.resume();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return performance.now() - began;
}

const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1" },
};

/** A client that connects over stdio and asks for the tools, until it has them. */
export async function toTools(way: Way, env: Record<string, string>): Promise<Begun> {
  const began = performance.now();
  const child = begin([...WAYS[way], "stdio"], env);
  const ask = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  ask({ id: 1, method: "initialize", params: HELLO });
  ask({ method: "notifications/initialized" });
  ask({ id: 2, method: "tools/list" });
  await said(child, /"id":2\b.*"tools":|"tools":.*"id":2\b/);
  return { child, ms: performance.now() - began };
}

async function said({ stdout }: { stdout: Readable }, text: RegExp): Promise<void> {
  let output = "";
  for await (const chunk of stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.split("\n").some((line) => text.test(line))) return;
  }
  throw new Error(`it ended, and said only: ${output}`);
}

const READY_EVERY_MS = 5;

/** A whole service, until /readyz is 200. */
export async function toReady(
  command: readonly string[],
  env: { PORT: string; [name: string]: string },
): Promise<Begun> {
  const began = performance.now();
  const child = begin(command, env);
  child.stdout.resume();
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => null);
    return answer?.status === 200;
  };
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, READY_EVERY_MS));
  }
  return { child, ms: performance.now() - began };
}

export async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.stdin?.end();
  process.kill(-child.pid!, "SIGTERM");
  await gone;
}

/** Megabytes of memory that a process has now (resident set; Linux). */
export function memoryMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
