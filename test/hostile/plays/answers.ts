/** Asking for little that is answered with much, or that is never done. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { form } from "../../support/purchase.ts";
import { atMost, count, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";
import { paidAt, ready } from "./buying.ts";

/** The longest thing there is to ask for: the OpenAPI document, which says all of /v1. */
const LONGEST_BYTES = 262_144;

const DOCUMENTS = ["/openapi.json", "/agent-info", "/llms.txt", "/errors", "/v1/catalog", "/"];
const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const PROMPTS = ["buy", "gift", "none"];

const message = (method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});

export const answers: Play = {
  name: "H6 answers",
  tried: "every document, list, prompt and resource; pages that are far out, ids that are endless",
  short: true,
  async play(stage) {
    const said = [...(await overHttpAlone(stage)), ...(await overMcp(stage))];
    const largest = Math.max(...said.map(({ text }) => Buffer.byteLength(text)));
    const refused = said.filter(({ status }) => status >= 400);
    const longestNo = Math.max(...refused.map(({ text }) => Buffer.byteLength(text)), 0);
    return {
      answered: `${statuses(said)}, at most ${largest} bytes`,
      bounds: [
        atMost("bytes of the longest answer", largest, LONGEST_BYTES),
        atMost("bytes of the longest refusal", longestNo, 8192),
        must("none fails", count(said, 500) === 0),
      ],
    };
  },
};

async function overHttpAlone({ ask, key }: Stage): Promise<TimedAnswer[]> {
  const address = stranger();
  const own = await key(address);
  const endless = "x".repeat(7000);
  const paths = [
    ...DOCUMENTS,
    "/v1/orders?limit=100",
    "/v1/orders?limit=1000000",
    `/v1/orders?before=${endless}`,
    `/v1/quotes/${endless}`,
    `/v1/ask?q=${endless}`,
    `/${endless}`,
  ];
  const said: TimedAnswer[] = [];
  for (const path of paths) said.push(await ask(address, path, { key: own }));
  return said;
}

async function overMcp({ mcp }: Stage): Promise<TimedAnswer[]> {
  const address = stranger();
  const listed = await mcp(address, message("resources/list"));
  const uris = (listed.body?.result?.resources ?? []).map(({ uri }: { uri: string }) => uri);
  const said: TimedAnswer[] = [listed];
  for (const method of LISTS) said.push(await mcp(address, message(method, { cursor: "x" })));
  for (const uri of [...uris, `coffee://orders/${"x".repeat(5000)}`]) {
    said.push(await mcp(address, message("resources/read", { uri })));
  }
  for (const name of PROMPTS) said.push(await mcp(address, message("prompts/get", { name })));
  return said;
}

async function listener(baseUrl: string, key: string): Promise<Client> {
  const mode = { pin: "2026-07-28" };
  const client = new Client({ name: "listener", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const url = new URL("/mcp", baseUrl);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

async function ordered(stage: Stage) {
  const buying = await ready(stage, { email: `listener-${listeners++}@example.com` });
  const pressed = await stage.ask(buying.address, buying.reviewUrl, form({}));
  const { id } = await paidAt(stage, buying, pressed);
  return { key: buying.key, filter: { resourceSubscriptions: [`coffee://orders/${id}`] } };
}

let listeners = 0;

export const listens: Play = {
  name: "H6 listens",
  tried: "one key opens 80 streams that never end, then somebody else wants one",
  short: true,
  async play(stage) {
    const { baseUrl } = stage;
    // Of what is not theirs no stream stays open: each follows an order of its own.
    const [own, others] = [await ordered(stage), await ordered(stage)];
    const client = await listener(baseUrl, own.key);
    const tries = await Promise.allSettled(
      Array.from({ length: 80 }, () => client.listen(own.filter)),
    );
    const open = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const neighbour = await listener(baseUrl, others.key);
    const theirs = await neighbour.listen(others.filter).catch(() => null);
    await Promise.allSettled([...open, ...(theirs ? [theirs] : [])].map((one) => one.close()));
    await Promise.allSettled([client.close(), neighbour.close()]);
    return {
      answered: `${open.length} of ${tries.length} opened`,
      held: `${open.length} streams`,
      bounds: [
        atMost("streams of one key", open.length, 32),
        must("somebody else can listen", theirs !== null),
      ],
    };
  },
};
