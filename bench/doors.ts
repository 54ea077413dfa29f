import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Child, startChild } from "./child.ts";
import type { Stretch, Target } from "./messages.ts";
import { createProgress } from "./progress.ts";

/**
 * `npm run bench -- --doors`: what one answer costs the server over each door, in CPU time, beside a
 * bare Express route, all in one run. MCP in both eras: a call, and the list of tools. `--only list`
 * measures what has this in its name, `--profile FOLDER` writes the service's CPU profile.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    only: { type: "string", default: "" },
    profile: { type: "string" },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(
  Number,
) as [number, number, number];

interface Row {
  label: string;
  server: Child;
  target: Target;
  cpuMs: number[];
}

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function overMcp(target: Target, version: string, method: string, params: object = {}): Target {
  const modern = version === "2026-07-28";
  const name = (params as { name?: string }).name;
  const all = modern ? { ...params, _meta: MODERN } : params;
  return {
    url: new URL("/mcp", target.url).href,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(modern && { "mcp-method": method, ...(name && { "mcp-name": name }) }),
    },
    send: {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: all }),
    },
  };
}

async function rowsOf(folder: string, open: (args: { profileTo?: string }) => Child) {
  const express = open({});
  const service = open(values.profile ? { profileTo: values.profile } : {});
  const variant = (kind: string) => ({ name: kind, label: kind, kind, fsyncMs: 0 });
  const ask = (server: Child, kind: string) =>
    server.ask<Target>({ do: "open", variant: variant(kind), file: join(folder, `${kind}.db`) });
  const bare = await ask(express, "express");
  const shop = await ask(service, "service");
  const catalog = { name: "get_catalog", arguments: {} };
  const get = (path: string): Target => {
    return { url: new URL(path, shop.url).href, headers: {}, send: { method: "GET" } };
  };
  const of = (label: string, target: Target): Row => ({
    label,
    server: service,
    target,
    cpuMs: [],
  });
  return [
    { label: "bare Express JSON route", server: express, target: bare, cpuMs: [] },
    of("GET /v1/catalog", get("/v1/catalog")),
    of("GET /v1/ask", get("/v1/ask?q=decaf")),
    of("get_catalog, MCP 2026-07-28", overMcp(shop, "2026-07-28", "tools/call", catalog)),
    of("get_catalog, MCP 2025-11-25", overMcp(shop, "2025-11-25", "tools/call", catalog)),
    of("tools/list, MCP 2026-07-28", overMcp(shop, "2026-07-28", "tools/list")),
    of("tools/list, MCP 2025-11-25", overMcp(shop, "2025-11-25", "tools/list")),
  ] satisfies Row[];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
  const children: Child[] = [];
  const open = (args: { profileTo?: string }) => {
    const child = startChild("./server.ts", args);
    children.push(child);
    return child;
  };
  const loader = startChild("./load.ts");
  children.push(loader);
  try {
    const [bare, ...others] = (await rowsOf(folder, open)) as [Row, ...Row[]];
    const rows = [bare, ...others.filter(({ label }) => label.includes(values.only))];
    const progress = createProgress(rows.length * (rounds + 1));
    for (let round = 0; round <= rounds; round++) {
      for (const row of rows) {
        progress.step(`${round === 0 ? "warming up" : `round ${round}`}: ${row.label}`);
        const cost = await stretch(row, loader, round === 0 ? 1 : seconds);
        if (round > 0) row.cpuMs.push(cost);
      }
    }
    progress.done();
    process.stdout.write(table(rows));
  } finally {
    await Promise.all(children.map((child) => child.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function stretch({ server, target, label }: Row, loader: Child, length: number) {
  const before = await server.ask<NodeJS.CpuUsage>({ do: "cpu" });
  const result = await loader.ask<Stretch>({ target, connections, seconds: length });
  const after = await server.ask<NodeJS.CpuUsage>({ do: "cpu" });
  if (result.failed > 0 || result.done === 0) {
    throw new Error(`${label}: ${result.failed} of ${result.done} answers were not 2xx`);
  }
  return (after.user + after.system - before.user - before.system) / 1000 / result.done;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

function table(rows: readonly Row[]): string {
  const bare = median(rows[0]!.cpuMs);
  const lines = rows.map(({ label, cpuMs }) => {
    const cost = median(cpuMs);
    return `| ${label.padEnd(30)} | ${cost.toFixed(3)} | ${(cost / bare).toFixed(1)} |`;
  });
  return [
    `| ${"".padEnd(30)} | CPU ms | of bare Express |`,
    "| --- | --: | --: |",
    ...lines,
    "",
    `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections.`,
    "",
  ].join("\n");
}

await main();
process.exit(0);
