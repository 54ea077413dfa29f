/** Small requests with large or endless answers. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { form } from "../../support/purchase.ts";
import { asking, atMost, count, inTurn, longest, must, type Play, times } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";
import { paidAt, ready } from "./buying.ts";

const DOCUMENTS = ["/openapi.json", "/agent-info", "/llms.txt", "/errors", "/v1/catalog", "/"];
const LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
const PROMPTS = ["buy", "gift", "none"];

const message = (method: string, params: object = {}) => ({
  ...{ jsonrpc: "2.0", id: 1 },
  ...{ method, params },
});

const everything = asking(
  ["H6 answers", "every document, list, prompt and resource; pages far out, endless ids"],
  async (stage) => [...(await overHttp(stage)), ...(await overMcp(stage))],
  (answers) => [
    // The OpenAPI document is the longest.
    atMost("bytes of the longest answer", longest(answers), 262_144),
    atMost(
      "bytes of the longest refusal",
      longest(answers.filter(({ status }) => status >= 400)),
      8192,
    ),
    must("none fails", count(answers, 500) === 0),
  ],
);

async function overHttp({ ask, key }: Stage): Promise<TimedAnswer[]> {
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
  return inTurn(paths.length, (i) => ask(address, paths[i]!, { key: own }));
}

async function overMcp({ mcp }: Stage): Promise<TimedAnswer[]> {
  const address = stranger();
  const listed = await mcp(address, message("resources/list"));
  const uris = (listed.body?.result?.resources ?? []).map(({ uri }: { uri: string }) => uri);
  const messages = [
    ...LISTS.map((method) => message(method, { cursor: "x" })),
    ...[...uris, `coffee://orders/${"x".repeat(5000)}`].map((uri) =>
      message("resources/read", { uri }),
    ),
    ...PROMPTS.map((name) => message("prompts/get", { name })),
  ];
  return inTurn(messages.length, (i) => mcp(address, messages[i]));
}

async function listener(baseUrl: string, key: string): Promise<Client> {
  const mode = { pin: "2026-07-28" };
  const client = new Client({ name: "listener", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const url = new URL("/mcp", baseUrl);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

let listeners = 0;

async function ordered(stage: Stage) {
  const buying = await ready(stage, { email: `listener-${listeners++}@example.com` });
  const pressed = await stage.ask(buying.address, buying.reviewUrl, form({}));
  const { id } = await paidAt(stage, buying, pressed);
  return { key: buying.key, filter: { resourceSubscriptions: [`coffee://orders/${id}`] } };
}

const listens: Play = {
  name: "H6 listens",
  tried: "one key opens 80 streams that never end, then somebody else wants one",
  short: true,
  async play(stage) {
    const { baseUrl } = stage;
    // A stream of another key's order would not stay open.
    const [own, other] = [await ordered(stage), await ordered(stage)];
    const client = await listener(baseUrl, own.key);
    const tries = await Promise.allSettled(times(80, () => client.listen(own.filter)));
    const open = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const neighbor = await listener(baseUrl, other.key);
    const stream = await neighbor.listen(other.filter).catch(() => null);
    await Promise.allSettled([...open, ...(stream ? [stream] : [])].map((one) => one.close()));
    await Promise.allSettled([client.close(), neighbor.close()]);
    return {
      answered: `${open.length} of ${tries.length} opened`,
      held: `${open.length} streams`,
      bounds: [
        atMost("streams of one key", open.length, 32),
        must("somebody else can listen", stream !== null),
      ],
    };
  },
};

const batches = asking(
  ["H6 batches", "a batch of 100 tools/list, 20 batches of 20, then single lists"],
  async ({ mcp }) => {
    const address = stranger();
    const batch = (size: number) => times(size, (id) => ({ ...message("tools/list"), id }));
    const refused = await mcp(stranger(), batch(100));
    const many = await inTurn(20, () => mcp(address, batch(20)));
    const single = await inTurn(60, (i) => mcp(address, message(LISTS[i % LISTS.length]!)));
    return [refused, ...many, ...single];
  },
  ([refused, ...answers]) => [
    must("a batch of 100 is refused", refused?.status === 413),
    atMost(
      "entries that were answered",
      count(answers.slice(0, 20), 200) * 20 + count(answers.slice(20), 200),
      1920,
    ),
    atMost("kB in all", answers.reduce((sum, { text }) => sum + text.length, 0) / 1000, 20_000),
  ],
);

export const answers = [everything, listens, batches];
