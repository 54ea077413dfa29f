import { once } from "node:events";
import { connect } from "node:net";
import { STOCKED } from "../support/catalog.ts";
import { form } from "../support/purchase.ts";
import { ADDRESS, eventually, quoteRequest, VISA } from "../support/shopper.ts";
import type { Patience } from "./run.ts";
import { type Stage, stranger, type TimedAnswer } from "./stage.ts";

/** One abuse of the shop from outside, and the bounds that must hold meanwhile. */
export interface Play {
  name: string;
  /** The abuse in a few words. */
  tried: string;
  /** Settings of a service of its own. {} gives it one with the usual settings. */
  env?: Record<string, string>;
  play(stage: Stage, patience: Patience): Promise<Outcome>;
}

export interface Outcome {
  answered: string;
  bounds: Bound[];
}

/** It falls if the value is higher. */
export interface Bound {
  what: string;
  value: number;
  most: number;
}

export const atMost = (what: string, value: number, most: number): Bound => ({ what, value, most });

/** A fact as a bound. */
export const must = (what: string, holds: boolean): Bound => atMost(what, holds ? 0 : 1, 0);

type Status = Pick<TimedAnswer, "status">;

/** "201 ×5, 429 ×3" */
function statuses(answers: readonly Status[]): string {
  const counted = Map.groupBy(answers, ({ status }) => status);
  return [...counted].map(([status, all]) => `${status} ×${all.length}`).join(", ");
}

const count = (answers: readonly Status[], wanted: number): number =>
  answers.filter(({ status }) => status === wanted).length;

const longest = (answers: readonly TimedAnswer[]): number =>
  Math.max(...answers.map(({ text }) => Buffer.byteLength(text)), 0);

const times = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** One after the other. */
async function inTurn<T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let i = 0; i < n; i++) done.push(await act(i));
  return done;
}

const message = (method: string, params: object = {}) => ({
  ...{ jsonrpc: "2.0", id: 1 },
  ...{ method, params },
});
const call = (name: string, args: object) => message("tools/call", { name, arguments: args });

/** A play that is judged by its answers; none may be slow or a failure. */
const asking = (
  name: string,
  tried: string,
  ask: (stage: Stage) => Promise<TimedAnswer[]>,
  bytes: { answer: number; refusal: number },
): Play => ({
  ...{ name, tried },
  async play(stage, { patienceMs }) {
    const answers = await ask(stage);
    const refusals = answers.filter(({ status }) => status >= 400);
    return {
      answered: statuses(answers),
      bounds: [
        atMost("ms for the slowest answer", Math.max(...answers.map(({ ms }) => ms)), patienceMs),
        atMost("worst status", Math.max(...answers.map(({ status }) => status)), 499),
        atMost("bytes of the longest answer", longest(answers), bytes.answer),
        atMost("bytes of the longest refusal", longest(refusals), bytes.refusal),
      ],
    };
  },
});

/** Combining marks in an order that makes normalization quadratic, and beginnings of secrets. */
const NASTY = ["-eyJ", "4 ", "sk_", "a@", "\u0301\u0316", "\u200b", "cma_0", "(", "0-"];

const texts = asking(
  "texts",
  "100 kB of combining marks or beginnings of secrets in every field of eight requests",
  async ({ ask, mcp, key }) => {
    const answers: TimedAnswer[] = [];
    for (const [i, piece] of NASTY.entries()) {
      const address = stranger();
      const own = { key: await key(address) };
      const text = piece.repeat(Math.floor(100_000 / Buffer.byteLength(piece)));
      const quote = quoteRequest();
      const [shipment] = quote.shipments;
      const requests: [path: string, body: object][] = [
        ["agents/register", { name: text, contact_email: text }],
        ["quote-requests", { ...quote, buyer: { email: text } }],
        ["quote-requests", quoteRequest({ gift_notes: [text] })],
        ["quote-requests", { ...quote, shipments: [{ ...shipment, address: { line1: text } }] }],
        ["orders/ord_none/cancel-requests", { reason_code: "OTHER", message: text }],
        ["feedback", { message: text }],
        // The longest message that is allowed.
        ["feedback", { message: text.slice(0, 1990 + i) }],
      ];
      const link = { items: `${STOCKED}:1`, buyer_email: text };
      answers.push(await mcp(address, call("build_quick_checkout_link", link)));
      for (const [path, body] of requests) {
        answers.push(await ask(address, `/v1/${path}`, { ...own, body }));
      }
    }
    return answers;
  },
  { answer: 8192, refusal: 8192 },
);

const LISTS: object[] = [
  Object.fromEntries(times(14_000, (i) => [`f${i}`, 0])),
  quoteRequest({ gift_notes: Array(8000).fill("") }),
  { ...quoteRequest(), shipments: Array(1000).fill({}) },
];
const UCP = { "ucp-agent": 'profile="https://agent.example/profile"' };

const mistakes = asking(
  "mistakes",
  "thousands of mistakes in one request, over HTTP, MCP and UCP",
  async ({ ask, mcp, key }) => {
    const address = stranger();
    const own = { key: await key(address) };
    const lists = await inTurn(LISTS.length, async (i) => [
      await ask(address, "/v1/quote-requests", { ...own, body: LISTS[i] }),
      await mcp(address, call("request_quote", { ...LISTS[i], idempotency_key: "k" }), own),
    ]);
    const empty = times(43_000, () => ({}));
    const sent: [path: string, body: object][] = [
      ["carts", { line_items: empty }],
      ["checkout-sessions", { line_items: empty }],
      ["catalog/lookup", { ids: empty.map(() => "") }],
    ];
    const ucp = await inTurn(9, (i) => {
      const [path, body] = sent[i % sent.length]!;
      return ask(stranger(), `/ucp/${path}`, { body, headers: UCP });
    });
    return [...lists.flat(), ...ucp];
  },
  { answer: 65_536, refusal: 65_536 },
);

const DOCUMENTS = ["/openapi.json", "/agent-info", "/llms.txt", "/errors", "/v1/catalog", "/"];
const MCP_LISTS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

const answers = asking(
  "answers",
  "every document, list, prompt and resource; pages far out, endless ids",
  async ({ ask, mcp, key }) => {
    const address = stranger();
    const own = await key(address);
    const endless = "x".repeat(7000);
    const orders = ["limit=100", "limit=1000000", `before=${endless}`].map(
      (q) => `/v1/orders?${q}`,
    );
    const ids = [`/v1/quotes/${endless}`, `/v1/ask?q=${endless}`, `/${endless}`];
    const paths = [...DOCUMENTS, ...orders, ...ids];
    const http = await inTurn(paths.length, (i) => ask(address, paths[i]!, { key: own }));
    const listed = await mcp(address, message("resources/list"));
    const uris: string[] = listed.body.result.resources.map(({ uri }: { uri: string }) => uri);
    const messages = [
      ...MCP_LISTS.map((method) => message(method, { cursor: "x" })),
      ...[...uris, `coffee://orders/${endless}`].map((uri) => message("resources/read", { uri })),
      ...["buy", "gift", "none"].map((name) => message("prompts/get", { name })),
    ];
    const rpc = await inTurn(messages.length, (i) => mcp(address, messages[i]));
    return [...http, ...rpc];
  },
  // The OpenAPI document is the longest.
  { answer: 262_144, refusal: 8192 },
);

/** Sends the beginning of a form to the desk and returns the status of the answer. */
async function begun(port: number, address: string): Promise<Status> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {});
  socket.write(
    [
      "POST /desk/orders HTTP/1.1",
      "Host: 127.0.0.1",
      `X-Forwarded-For: ${address}`,
      "Content-Type: multipart/form-data; boundary=x",
      "Content-Length: 200000",
      "",
      '--x\r\nContent-Disposition: form-data; name="a"\r\n',
    ].join("\r\n"),
  );
  const [head] = await once(socket, "data", { signal: AbortSignal.timeout(20_000) });
  socket.destroy();
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(String(head))?.[1]) };
}

const forms: Play = {
  name: "forms",
  tried: "200 multipart forms of 200 kB to the desk, by nobody who is signed in",
  async play({ port }) {
    const refused = await inTurn(200, () => begun(port, stranger()));
    const early = must("each is refused before its body came", count(refused, 403) === 200);
    return { answered: statuses(refused), bounds: [early] };
  },
};

const connections: Play = {
  name: "connections",
  tried: "400 silent connections of one address where 100 are the most there may be",
  env: { MAX_CONNECTIONS: "100", TRUST_PROXY: "0" },
  async play({ port }) {
    const sockets = await Promise.all(
      times(400, async () => {
        const socket = connect({ port, host: "127.0.0.1" }).resume();
        socket.on("error", () => {});
        await once(socket, "connect");
        return socket;
      }),
    );
    const left = () => sockets.filter(({ closed }) => !closed).length;
    await eventually(async () => left() <= 25).catch(() => {});
    const bounds = [atMost("connections that stay", left(), 25)];
    for (const socket of sockets) socket.destroy();
    return { answered: `${sockets.length} opened`, bounds };
  },
};

type Ready = Awaited<ReturnType<typeof ready>>;

/** A buyer's quote with its review link. */
async function ready({ ask, key }: Stage, email: string, own?: { address: string; key: string }) {
  const address = own?.address ?? stranger();
  const by = { key: own?.key ?? (await key(address)) };
  const quote = await ask(address, "/v1/quote-requests", { ...by, body: quoteRequest({ email }) });
  const { id, quote_hash } = quote.body;
  const path = `/v1/quotes/${id}/checkout`;
  const checkout = await ask(address, path, { ...by, body: { quote_hash } });
  return { address, ...by, id, reviewUrl: checkout.body.review_url as string };
}

const press = ({ ask }: Stage, { reviewUrl }: Ready, from = stranger()) =>
  ask(from, reviewUrl, form({}));

const presses: Play = {
  name: "presses",
  tried: "one address presses pay on 130 links of 5 keys, while 16 buyers press on theirs",
  env: { RATE_LIMITS: "requests=1000" },
  async play(stage) {
    const owners = await inTurn(5, async () => {
      const address = stranger();
      return { address, key: await stage.key(address) };
    });
    const link = (i: number) => ready(stage, `presses-${i}@example.com`, owners[i % 5]);
    const links = await inTurn(146, link);
    const before = stage.databaseBytes();
    const from = stranger();
    const [many, buyers] = await Promise.all([
      Promise.all(links.slice(16).map((one) => press(stage, one, from))),
      Promise.all(links.slice(0, 16).map((one) => press(stage, one))),
    ]);
    const kilobytes = (stage.databaseBytes() - before) / 1000;
    return {
      answered: `${statuses(many)}; buyers ${statuses(buyers)}`,
      bounds: [
        must("every buyer can pay", count(buyers, 303) === buyers.length),
        atMost("kB of disk a press", kilobytes / count([...many, ...buyers], 303), 40),
      ],
    };
  },
};

const quotes: Play = {
  name: "quotes of a page",
  tried: "one checkout page makes 600 quotes, then it is opened again",
  env: { RATE_LIMITS: "requests=100000" },
  async play({ ask }, { patienceMs }) {
    const address = stranger();
    const link = await ask(address, `/v1/quick-checkout?items=${STOCKED}:1`);
    const page = link.headers.get("location")!;
    const opening = async () => {
      const all = await inTurn(21, () => ask(address, page));
      return all.map(({ ms }) => ms).sort((a, b) => a - b)[10]!;
    };
    const before = await opening();
    const made = await inTurn(600, (i) =>
      ask(address, page, form({ ...ADDRESS, email: `page-${i}@example.com` })),
    );
    const after = await opening();
    return {
      answered: `${statuses(made)}; ${Math.round(before)} ms, then ${Math.round(after)} ms`,
      bounds: [atMost("ms to open the page", after, Math.min(patienceMs, 4 * before + 10))],
    };
  },
};

interface Paid {
  payment: { amount_minor: number };
  refunds: { amount_minor: number }[];
}

/** Each refund is a process of its own. The bank's refusals are tested with a clock that moves. */
const refunds: Play = {
  name: "refunds",
  tried: "four refunds of $10 at once of a payment of $32",
  async play(stage) {
    const buyer = await ready(stage, "refunds@example.com");
    const hosted = (await press(stage, buyer)).headers.get("location");
    await stage.ask(buyer.address, `${hosted}/pay`, form({ card: VISA }));
    const order = await eventually(async () => {
      const answer = await stage.ask(buyer.address, `/v1/quotes/${buyer.id}/order`, buyer);
      return answer.status === 200 && answer.body;
    });
    const refund = () => stage.merchant("orders", "refund", order.id, "--amount", "10", "--again");
    const tries = await Promise.allSettled(times(4, refund));
    const taken = tries.filter(({ status }) => status === "fulfilled").length;
    const paid: Paid = await stage.merchant("orders", "show", order.id);
    const cents = paid.refunds.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    return {
      answered: `${taken} of ${tries.length} taken, $${cents / 100} to go back`,
      bounds: [
        atMost("cents that go back", cents, paid.payment.amount_minor),
        must("three are taken", taken === 3 && paid.refunds.length === 3),
      ],
    };
  },
};

export const plays = [texts, mistakes, answers, forms, connections, presses, quotes, refunds];
