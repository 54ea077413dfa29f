import { join } from "node:path";
import pg from "pg";
import { legacy, type Message, modern } from "../test/support/mcp-call.ts";
import type { Checkout } from "./checkout.ts";
import { type Bench, type Child, inRounds, median, type Row, type Subject } from "./measure.ts";
import type { Ask, Server } from "./server.ts";

interface Target {
  url: string;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  target: Target;
  connections: number;
  seconds: number;
}

export interface Sample {
  done: number;
  perSecond: number;
  p99Ms: number;
  /** CPU time of the servers per response, user and system. */
  cpuMs: number;
}

export interface OpenServer extends Server {
  child: Child;
}

/** A typical quote: two products to one address, with a gift note. */
const QUOTE = {
  buyer: { email: "buyer-[<id>]@example.com" },
  shipments: [
    {
      recipient_ref: "home",
      address: {
        name: "Test Buyer",
        line1: "1 Main Street",
        city: "Austin",
        region: "TX",
        postal_code: "78701",
        country: "US",
      },
      items: [
        { product_id: "colombia-huila", quantity: 2 },
        { product_id: "mexico-chiapas-decaf", quantity: 1 },
      ],
      gift_notes: ["Happy birthday!"],
    },
  ],
};

const json = (url: string, headers: Target["headers"], body: unknown): Target => {
  return { url, method: "POST", headers, body: JSON.stringify(body) };
};
const quote = ({ url, headers }: Server) => json(`${url}/v1/quote-requests`, headers, QUOTE);
const mcp = ({ url }: Server, { headers, body }: Message) => json(`${url}/mcp`, headers, body);

/** `root`: a checkout of another commit, whose server it starts instead. */
export async function open({ start }: Bench, ask: Ask, root?: string): Promise<OpenServer> {
  const child = start("./server.ts", root);
  return { child, ...(await child.ask<Server>(ask)) };
}

/** CPU per response over HTTP and MCP, beside a bare Express route, and the effect of group commit. */
export async function calls(bench: Bench): Promise<Row[]> {
  const file = (name: string) => `sqlite:${join(bench.folder, `${name}.db`)}`;
  const bare = await open(bench, { do: "express" });
  const shop = await open(bench, { do: "serve", databaseUrl: file("group") });
  const single = await open(bench, { do: "serve", databaseUrl: file("single"), batch: 1 });
  const loader = bench.start("./load.ts");
  const subject = (label: string, server: OpenServer, target: Target) => {
    return { label, measure: measured(bench, loader, server, target) };
  };
  const express = "bare Express route";
  const subjects: Subject<Sample>[] = [
    subject(express, bare, json(bare.url, {}, QUOTE)),
    ...targetsOf(shop).map(([label, target]) => ({
      ...subject(label, shop, target),
      versus: express,
    })),
    { ...subject("quote, one transaction each", single, quote(single)), versus: "quote" },
  ];
  return inRounds(subjects, bench, { ratioOf: ({ cpuMs }) => cpuMs, show });
}

function targetsOf(shop: Server): [label: string, target: Target][] {
  const catalog = { name: "get_catalog", arguments: {} };
  return [
    ["`GET /v1/catalog`", { url: `${shop.url}/v1/catalog`, method: "GET", headers: {} }],
    ["`get_catalog`, MCP 2026-07-28", mcp(shop, modern("tools/call", catalog))],
    ["`get_catalog`, MCP 2025-11-25", mcp(shop, legacy("tools/call", catalog))],
    ["`tools/list`, MCP 2026-07-28", mcp(shop, modern("tools/list"))],
    ["`tools/list`, MCP 2025-11-25", mcp(shop, legacy("tools/list"))],
    ["quote", quote(shop)],
  ];
}

/** CPU per response of this checkout beside that of another commit, for every kind of call. */
export const compare =
  ({ root, name }: Checkout) =>
  async (bench: Bench): Promise<Row[]> => {
    const serve = (file: string, at?: string) =>
      open(bench, { do: "serve", databaseUrl: `sqlite:${join(bench.folder, file)}` }, at);
    const own = await serve("own.db");
    const other = await serve("other.db", root);
    const loader = bench.start("./load.ts");
    const measure = (server: OpenServer, target: Target) => measured(bench, loader, server, target);
    const targets = targetsOf(other);
    const subjects = targetsOf(own).flatMap(([label, target], i) => {
      const before = `${label} at ${name}`;
      return [
        { label: before, measure: measure(other, targets[i]![1]) },
        { label, versus: before, measure: measure(own, target) },
      ];
    });
    return inRounds(subjects, bench, { ratioOf: ({ cpuMs }) => cpuMs, show });
  };

export async function requireDurableCommits(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("show synchronous_commit");
  await client.end();
  if (rows[0].synchronous_commit !== "on") throw new Error("synchronous_commit is off");
}

/** Loads one server. */
const measured =
  ({ connections }: Bench, loader: Child, server: OpenServer, target: Target) =>
  async (seconds: number): Promise<Sample> => {
    const before = await cpuMs([server]);
    const load: Load = { target, seconds, connections };
    const sample = await loader.ask<Omit<Sample, "cpuMs">>(load);
    return { ...sample, cpuMs: ((await cpuMs([server])) - before) / sample.done };
  };

export async function cpuMs(fleet: readonly { child: Child }[]): Promise<number> {
  const ask: Ask = { do: "cpu" };
  const used = await Promise.all(fleet.map(({ child }) => child.ask<NodeJS.CpuUsage>(ask)));
  return used.reduce((sum, { user, system }) => sum + (user + system) / 1000, 0);
}

function show(samples: readonly Sample[]): string {
  const of = (value: (sample: Sample) => number) => median(samples.map(value));
  const perSecond = Math.round(of((sample) => sample.perSecond)).toLocaleString("en-US");
  const cpu = of((sample) => sample.cpuMs).toFixed(3);
  return `${perSecond}/s, ${cpu} ms CPU, p99 ${of((sample) => sample.p99Ms).toFixed(0)} ms`;
}
