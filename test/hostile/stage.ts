import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cli } from "../support/command.ts";
import { startProcess } from "../support/process.ts";
import { type Answer, type Send, send } from "../support/shopper.ts";

export interface TimedAnswer extends Answer {
  /** Milliseconds until it came. */
  ms: number;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Starts a service process with its usual limits. Plays reach it from outside only. */
export async function openStage(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "coffee-merchant-hostile-"));
  const databaseFile = join(folder, "merchant.db");
  const DATABASE_URL = `sqlite:${databaseFile}`;
  const usual = { RATE_LIMITS: "on", TRUST_PROXY: "1", DATABASE_URL };
  const shop = await startProcess({ ...usual, ...env });
  const { baseUrl } = shop;

  /** Asks from a client address: the service believes one proxy in front of it. */
  async function ask(address: string, path: string, options: Send = {}): Promise<TimedAnswer> {
    const headers = { "x-forwarded-for": address, ...options.headers };
    const began = performance.now();
    const answer = await send(baseUrl, path, { ...options, headers });
    return { ...answer, ms: performance.now() - began };
  }

  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    ask,
    /** Sends one JSON-RPC message to /mcp. */
    mcp(address: string, body: unknown, options: Send = {}) {
      const accept = "application/json, text/event-stream";
      const headers = { accept, "mcp-protocol-version": "2025-03-26" };
      return ask(address, "/mcp", { body, headers, ...options });
    },
    /** Registers from that address and returns the key. */
    async key(address: string): Promise<string> {
      const body = { name: "Agent", contact_email: "agent@example.com" };
      return (await ask(address, "/v1/agents/register", { body })).body.api_key;
    },
    /** Runs the merchant's command line and returns its JSON. */
    merchant: async (...words: string[]) =>
      JSON.parse((await cli(DATABASE_URL, ...words, "--json")).stdout),
    /** Bytes of the database with its log. */
    databaseBytes: () =>
      ["", "-wal"]
        .map((end) => statSync(databaseFile + end, { throwIfNoEntry: false })?.size ?? 0)
        .reduce((sum, size) => sum + size),
    async close(): Promise<void> {
      await shop.end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let networks = 0;

/** A client address in a network of its own. */
export const stranger = (): string => `2001:db8:${(++networks).toString(16)}::1`;
