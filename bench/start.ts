import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { refresh } from "../src/build/fresh.mjs";
import { freePort } from "../test/support/loopback.ts";
import { type Bench, inRounds, median, type Row } from "./measure.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMANDS = {
  source: ["src/coffee-merchant.ts"],
  built: ["--max-semi-space-size=16", "dist/coffee-merchant.js"],
};
const REST_MS = 8000;

type Env = Record<string, string>;
type Until = (child: ChildProcess, env: Env) => Promise<unknown>;

/** Time from a command to its first answer, built and from the sources, and memory at rest. */
export async function start(bench: Bench): Promise<Row[]> {
  if (!refresh(ROOT)) throw new Error("The build failed.");
  const shared = { DATABASE_URL: `sqlite:${join(bench.folder, "start.db")}` };
  const launch = async (words: readonly string[], until: Until) => {
    const env: Env = { ...shared, PORT: await freePort(), LOG_LEVEL: "silent" };
    const began = performance.now();
    const { PATH = "", HOME = "" } = process.env;
    const child = spawn(process.execPath, words, {
      cwd: ROOT,
      env: { PATH, HOME, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    await until(child, env);
    return { child, ms: performance.now() - began };
  };
  const parts: [label: string, words: string[], until: Until][] = [
    ["`stdio` to tools/list", ["stdio"], listsTools],
    ["`start` to /readyz", ["start"], isReady],
    ["`merchant orders list`", ["merchant", "orders", "list"], exits],
  ];
  const subjects = parts.flatMap(([label, words, until]) =>
    (["source", "built"] as const).map((way) => ({
      label: `${label}, ${way}`,
      ...(way === "built" && { versus: `${label}, source` }),
      async measure() {
        const { child, ms } = await launch([...COMMANDS[way], ...words], until);
        await end(child);
        return ms;
      },
    })),
  );
  const show = (samples: readonly number[]) => `${median(samples).toFixed(0)} ms`;
  const rows = await inRounds(subjects, bench, { ratioOf: (ms) => ms, show });
  for (const [label, words, until] of parts.slice(0, 2)) {
    const { child } = await launch([...COMMANDS.built, ...words], until);
    await delay(REST_MS);
    const row = rows.find(([name]) => name === `${label}, built`)!;
    row[1] += memoryAtRest(child.pid!);
    await end(child);
  }
  return rows;
}

const isReady: Until = async (child, { PORT }) => {
  child.stdout!.resume();
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (response?.status === 200) return;
    if (child.exitCode !== null) throw new Error(`The service exited with ${child.exitCode}.`);
    await delay(5);
  }
};

/** Connects as a client over stdio and asks for the tools. */
const listsTools: Until = async (child) => {
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  for (const message of [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ]) {
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  let output = "";
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.split("\n").some((line) => line.includes('"tools":[') && line.endsWith("}"))) return;
  }
  throw new Error(`The service exited after: ${output}`);
};

const exits: Until = async (child) => {
  child.stdout!.resume();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The command exited with ${code}.`);
};

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Resident memory, where the system tells it (Linux). */
function memoryAtRest(pid: number): string {
  if (process.platform !== "linux") return "";
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return `, ${(Number(kilobytes) / 1024).toFixed(0)} MB at rest`;
}
