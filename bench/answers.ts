import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { legacy, type Message, modern } from "../test/support/mcp-call.ts";
import { type Bench, benchmark } from "./benchmark.ts";
import { type Child, withCpu } from "./child.ts";
import { figureOf, markdown, median, whole } from "./figures.ts";
import type { Sample, Stretch, Target } from "./messages.ts";
import { type Plan, planned } from "./options.ts";
import { inRounds } from "./rounds.ts";

/**
 * `npm run bench -- --answers`: what one answer costs the server over HTTP and MCP, in CPU time, beside
 * a bare Express route, all in one run. MCP in both eras: a call, and the list of tools.
 */
const options = planned("bench -- --answers", "Measures answers over HTTP and MCP.", {
  seconds: 3,
  rounds: 5,
  connections: 32,
})
  .option("--only <text>", "what has this in its name", "")
  .option("--profile <folder>", "the service's CPU profile")
  .option("--peer <url>", "another service beside it, whose CPU time is not seen")
  .option("--request <file>", 'what it is asked: JSON, {"path", "method"?, "headers"?, "body"?}')
  .parse()
  .opts<Plan & { only: string; profile?: string; peer?: string; request?: string }>();

interface Subject {
  label: string;
  /** Null where its processor time cannot be seen. */
  server: Child | null;
  target: Target;
}

const PeerRequest = z.strictObject({
  path: z.string(),
  method: z.enum(["GET", "POST"]).default("GET"),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
});

async function peer(): Promise<Subject[]> {
  if (options.peer === undefined || options.request === undefined) return [];
  const { path, method, headers, body } = PeerRequest.parse(
    JSON.parse(await readFile(options.request, "utf8")),
  );
  const url = new URL(path, options.peer).href;
  const send = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return [{ label: `peer: ${method} ${url}`, server: null, target: { url, headers, send } }];
}

function overMcp(shop: Target, { headers, body }: Message): Target {
  const url = new URL("/mcp", shop.url).href;
  return { url, headers, send: { method: "POST", body: JSON.stringify(body) } };
}

async function subjectsOf({ folder, start }: Bench): Promise<[bare: Subject, ...Subject[]]> {
  const open = async (kind: string, profileTo?: string) => {
    const server = start("./server.ts", { profileTo });
    const variant = { name: kind, label: kind, kind, fsyncMs: 0 };
    const file = join(folder, `${kind}.db`);
    return { server, target: await server.ask<Target>({ do: "open", variant, file }) };
  };
  const bare = await open("express");
  const { server, target: shop } = await open("service", options.profile);
  const catalog = { name: "get_catalog", arguments: {} };
  const get = (path: string): Target => {
    return { url: new URL(path, shop.url).href, headers: {}, send: { method: "GET" } };
  };
  const asked: Record<string, Target> = {
    "GET /v1/catalog": get("/v1/catalog"),
    "GET /v1/ask": get("/v1/ask?q=decaf"),
    "get_catalog, MCP 2026-07-28": overMcp(shop, modern("tools/call", catalog)),
    "get_catalog, MCP 2025-11-25": overMcp(shop, legacy("tools/call", catalog)),
    "tools/list, MCP 2026-07-28": overMcp(shop, modern("tools/list")),
    "tools/list, MCP 2025-11-25": overMcp(shop, legacy("tools/list")),
  };
  const others = [
    ...Object.entries(asked).map(([label, target]) => ({ label, server, target })),
    ...(await peer()),
  ];
  return [
    { label: "bare Express JSON route", ...bare },
    ...others.filter(({ label }) => label.includes(options.only)),
  ];
}

function table(samples: ReadonlyMap<Subject, readonly Sample[]>, bare: Subject): string {
  const cpuOf = (subject: Subject) => median(samples.get(subject)!.map(({ cpuMs }) => cpuMs));
  const figure = (value: number, digits: number) =>
    Number.isNaN(value) ? "" : value.toFixed(digits);
  const rows = [...samples].map(([subject, own]) => {
    const cpu = cpuOf(subject);
    const { label, perSecond } = figureOf(subject, own);
    return [label, figure(cpu, 3), figure(cpu / cpuOf(bare), 1), whole(perSecond)];
  });
  const { rounds, seconds, connections } = options;
  return `${markdown(["", "CPU ms", "of bare Express", "answers/s"], rows)}
Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections.
`;
}

await benchmark(async (bench) => {
  const subjects = await subjectsOf(bench);
  const loader = bench.start("./load.ts");
  const { connections } = options;
  const samples = await inRounds(subjects, options, ({ server, target }, seconds) =>
    withCpu(server, () => loader.ask<Stretch>({ target, connections, seconds })),
  );
  process.stdout.write(table(samples, subjects[0]));
});
