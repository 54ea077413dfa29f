import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type Child, startChild } from "./child.ts";
import { markdown, median, whole } from "./figures.ts";
import type { Stretch, Target } from "./messages.ts";
import { createProgress } from "./progress.ts";

/**
 * `npm run bench -- --answers`: what one answer costs the server over HTTP and MCP, in CPU time, beside
 * a bare Express route, all in one run. MCP in both eras: a call, and the list of tools. `--only list`
 * measures what has this in its name, `--profile FOLDER` writes the service's CPU profile. `--peer URL
 * --request FILE` asks another service beside it, whose CPU time is not seen: the file is JSON,
 * `{"path", "method"?, "headers"?, "body"?}`.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    only: { type: "string", default: "" },
    profile: { type: "string" },
    peer: { type: "string" },
    request: { type: "string" },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(
  Number,
) as [number, number, number];

interface Row {
  label: string;
  /** Null where its processor time cannot be seen. */
  server: Child | null;
  target: Target;
  cpuMs: number[];
  perSecond: number[];
}

const row = (label: string, server: Child | null, target: Target): Row => ({
  label,
  server,
  target,
  cpuMs: [],
  perSecond: [],
});

const PeerRequest = z.strictObject({
  path: z.string(),
  method: z.enum(["GET", "POST"]).default("GET"),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
});

async function peer(): Promise<Row[]> {
  if (values.peer === undefined || values.request === undefined) return [];
  const { path, method, headers, body } = PeerRequest.parse(
    JSON.parse(await readFile(values.request, "utf8")),
  );
  const url = new URL(path, values.peer).href;
  const send = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return [row(`peer: ${method} ${url}`, null, { url, headers, send })];
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
  const of = (label: string, target: Target) => row(label, service, target);
  return [
    row("bare Express JSON route", express, bare),
    of("GET /v1/catalog", get("/v1/catalog")),
    of("GET /v1/ask", get("/v1/ask?q=decaf")),
    of("get_catalog, MCP 2026-07-28", overMcp(shop, "2026-07-28", "tools/call", catalog)),
    of("get_catalog, MCP 2025-11-25", overMcp(shop, "2025-11-25", "tools/call", catalog)),
    of("tools/list, MCP 2026-07-28", overMcp(shop, "2026-07-28", "tools/list")),
    of("tools/list, MCP 2025-11-25", overMcp(shop, "2025-11-25", "tools/list")),
    ...(await peer()),
  ];
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
        const { cpuMs, perSecond } = await stretch(row, loader, round === 0 ? 1 : seconds);
        if (round === 0) continue;
        row.cpuMs.push(cpuMs);
        row.perSecond.push(perSecond);
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
  const before = await used(server);
  const result = await loader.ask<Stretch>({ target, connections, seconds: length });
  const after = await used(server);
  if (result.failed > 0 || result.done === 0) {
    throw new Error(`${label}: ${result.failed} of ${result.done} answers were not 2xx`);
  }
  return { cpuMs: (after - before) / result.done, perSecond: result.done / length };
}

/** Processor time in milliseconds; not a number where it cannot be seen. */
async function used(server: Child | null): Promise<number> {
  if (server === null) return Number.NaN;
  const { user, system } = await server.ask<NodeJS.CpuUsage>({ do: "cpu" });
  return (user + system) / 1000;
}

function table(rows: readonly Row[]): string {
  const bare = median(rows[0]!.cpuMs);
  const figure = (value: number, digits: number) =>
    Number.isNaN(value) ? "" : value.toFixed(digits);
  const cells = rows.map(({ label, cpuMs, perSecond }) => {
    const cost = median(cpuMs);
    return [label, figure(cost, 3), figure(cost / bare, 1), whole(Math.round(median(perSecond)))];
  });
  return `${markdown(["", "CPU ms", "of bare Express", "answers/s"], cells)}
Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections.
`;
}

await main();
process.exit(0);
