import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/command.ts";
import { freePort } from "../support/loopback.ts";
import { startProcess } from "../support/process.ts";
import { type Answer, type Send, send } from "../support/shopper.ts";
import { type Neighbor, neighbor } from "./neighbor.ts";
import type { Patience } from "./run.ts";

/** An answer, and how long the one who asked had to wait for it, in milliseconds. */
export interface TimedAnswer extends Answer {
  ms: number;
}

/** The service as a process with its usual limits, and what one can do to it from outside. */
export interface Stage {
  baseUrl: string;
  port: number;
  /** The longest that anybody may wait for one answer, in milliseconds. */
  patienceMs: number;
  /** From a client address of one's own: the service believes one proxy in front of it. */
  ask(address: string, path: string, options?: Send): Promise<TimedAnswer>;
  /** One JSON-RPC message or a batch to /mcp. */
  mcp(address: string, body: unknown, options?: Send): Promise<TimedAnswer>;
  /** Somebody else, who asks all the while. */
  neighbor: Neighbor;
  /** A new key; registered from that address. */
  key(address: string): Promise<string>;
  /** What the merchant's command line says, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it says.
  merchant(...words: string[]): Promise<any>;
  /** Bytes of the database with its log. */
  databaseBytes(): Promise<number>;
  databaseFile: string;
  log(): string;
  /** Killed where it is, and started again on what it left. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(
  { patienceMs, pauseMs }: Patience,
  env: Record<string, string> = {},
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "coffee-merchant-hostile-"));
  const databaseFile = join(folder, "merchant.db");
  const PORT = await freePort();
  const DATABASE_URL = `sqlite:${databaseFile}`;
  const usual = { RATE_LIMITS: "on", TRUST_PROXY: "1", LOG_LEVEL: "info" };
  const start = () => startProcess({ ...usual, PORT, DATABASE_URL, ...env });
  let shop = await start();
  const port = Number(PORT);
  const log = () => shop.log();
  const at = { patienceMs, databaseFile, port, log, neighbor: neighbor(shop.baseUrl, pauseMs) };
  return { ...dealings(shop.baseUrl, DATABASE_URL), ...at, restart, close };

  async function restart(): Promise<void> {
    await shop.end("SIGKILL");
    shop = await start();
  }

  async function close(): Promise<void> {
    await at.neighbor.leave();
    await shop.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
}

function dealings(baseUrl: string, databaseUrl: string) {
  const ask: Stage["ask"] = async (address, path, options = {}) => {
    const headers = { "x-forwarded-for": address, ...options.headers };
    const began = performance.now();
    const answer = await send(baseUrl, path, { ...options, headers });
    return { ...answer, ms: performance.now() - began };
  };
  const mcp: Stage["mcp"] = (address, body, options = {}) =>
    ask(address, "/mcp", {
      body,
      ...options,
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-03-26",
        ...options.headers,
      },
    });
  return {
    baseUrl,
    ask,
    mcp,
    async key(address: string): Promise<string> {
      const body = { name: "Agent", contact_email: "agent@example.com" };
      return (await ask(address, "/v1/agents/register", { body })).body.api_key;
    },
    merchant: async (...words: string[]) =>
      JSON.parse((await cli(databaseUrl, ...words, "--json")).stdout),
    async databaseBytes() {
      const file = databaseUrl.replace("sqlite:", "");
      const sizes = ["", "-wal"].map((end) =>
        stat(file + end).then(
          ({ size }) => size,
          () => 0,
        ),
      );
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
  };
}

/** A client's address of its own, far from all others. */
let network = 0;
export const stranger = (): string => `2001:db8:${(++network).toString(16)}::1`;
