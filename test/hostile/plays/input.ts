/** Requests that are cheap to send and once were costly to read. */
import { gzipSync } from "node:zlib";
import { STOCKED } from "../../support/catalog.ts";
import { quoteRequest, type Send } from "../../support/shopper.ts";
import { asking, atMost, count, inTurn, longest, must, quick, times } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";

/** Combining marks in an order that makes normalization quadratic. */
const MARKS = "\u0301\u0316";

/** Beginnings of secrets and addresses that a scanner may try at every position. */
const NASTY = ["-eyJ", "4", "4 ", "sk_", "a@", "é", MARKS, "\u200b", "cma_0", "(", "0-"];

const call = (name: string, args: object) => ({
  ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
  params: { name, arguments: args },
});

const buildLink = (buyer_email: string) =>
  call("build_quick_checkout_link", { items: `${STOCKED}:1`, buyer_email });

const bodies = asking(
  [
    "H1 bodies",
    "200 kB, 10 MB, and 220,000 combining marks gzipped to some hundred bytes, keyless",
  ],
  async ({ ask, mcp }) => {
    const join = (name: string, contact_email = "a@example.com") => ({ name, contact_email });
    const headers = {
      "content-type": "application/json",
      "content-encoding": "gzip",
      accept: "application/json, text/event-stream",
    };
    const email = MARKS.repeat(110_000);
    const zipped = (path: string, body: object) =>
      ask(stranger(), path, { raw: gzipSync(JSON.stringify(body)), headers });
    const large = [200_000, 10_000_000].map((size) => join("x".repeat(size)));
    return Promise.all([
      zipped("/mcp", buildLink(email)),
      zipped("/v1/agents/register", join("A", email)),
      ...large.map((body) => ask(stranger(), "/v1/agents/register", { body })),
      ...large.map((body) => mcp(stranger(), body)),
    ]);
  },
  (answers, stage) => [
    quick(stage, answers),
    must("none is inflated", count(answers, 415) === 2),
    must("the others are too large", count(answers, 413) === 4),
  ],
);

const texts = asking(
  [
    "H1 H2 texts",
    "100 kB of combining marks or beginnings of secrets in every field of eight requests",
  ],
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
      answers.push(await mcp(address, buildLink(text)));
      for (const [path, body] of requests) {
        answers.push(await ask(address, `/v1/${path}`, { ...own, body }));
      }
    }
    return answers;
  },
  (answers, stage) => [
    quick(stage, answers),
    must(
      "each is taken or refused as wrong",
      answers.every(({ status }) => status < 500),
    ),
  ],
);

const MISTAKES: object[] = [
  Object.fromEntries(Array.from({ length: 14_000 }, (_, i) => [`f${i}`, 0])),
  quoteRequest({ gift_notes: Array(8000).fill("") }),
  { ...quoteRequest(), shipments: Array(1000).fill({}) },
];

const problems = asking(
  ["H6 problems", "thousands of mistakes in one request, over both interfaces"],
  async ({ ask, mcp, key }) => {
    const address = stranger();
    const sent: Send = { key: await key(address) };
    const answers: TimedAnswer[] = [];
    for (const body of MISTAKES) {
      const args = { ...body, idempotency_key: "k" };
      answers.push(
        await ask(address, "/v1/quote-requests", { ...sent, body }),
        await mcp(address, call("request_quote", args), sent),
      );
    }
    return answers;
  },
  (answers, stage) => [
    quick(stage, answers),
    atMost("bytes of the longest answer", longest(answers), 65_536),
  ],
);

const question = asking(
  ["R1 question", "500 characters of contradicting wishes, over both interfaces"],
  async ({ ask, mcp }: Stage) => {
    const q = `natural. nut. ${"d?no nutty. ".repeat(60)}`.slice(0, 500);
    return [
      await ask(stranger(), `/v1/ask?q=${encodeURIComponent(q)}`),
      await mcp(stranger(), call("ask", { q })),
    ];
  },
  (answers, stage) => [quick(stage, answers), must("both answer", count(answers, 200) === 2)],
);

const UCP = { "ucp-agent": 'profile="https://agent.example/profile"' };
const asText = (raw: string): Send => ({
  method: "POST",
  raw,
  headers: { ...UCP, "content-type": "application/json" },
});

const ucpLists = asking(
  ["R3 UCP lists", "129 kB of empty lines and of ids, keyless, over REST and JSON-RPC"],
  async ({ ask }) => {
    const empty = Array.from({ length: 43_000 }, () => ({}));
    const meta = { "ucp-agent": { profile: "https://agent.example/profile" } };
    const sent: [path: string, body: object][] = [
      ["/ucp/carts", { line_items: empty }],
      ["/ucp/checkout-sessions", { line_items: empty }],
      ["/ucp/catalog/lookup", { ids: empty.map(() => "") }],
      ["/ucp/mcp", call("create_cart", { meta, cart: { line_items: empty.slice(0, 42_000) } })],
    ];
    const turns = [...sent, ...sent, ...sent];
    return inTurn(turns.length, (i) => {
      const [path, body] = turns[i]!;
      return ask(stranger(), path, asText(JSON.stringify(body)));
    });
  },
  (answers, stage) => [
    quick(stage, answers),
    must("all are refused", count(answers, 400) === answers.length),
    atMost("bytes of the longest answer", longest(answers), 4096),
  ],
);

const ucpMalformed = asking(
  [
    "R6 UCP malformed",
    "2,000 calls of one address with an id that is an object, or nested 3,000 deep",
  ],
  async ({ ask }) => {
    const address = stranger();
    const deep = `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;
    const sent = [
      ["/ucp/mcp", '{"jsonrpc":"2.0","id":{"toString":1},"method":"ping"}'],
      ["/ucp/mcp", '{"jsonrpc":"2.0","method":"ping"}'],
      ["/ucp/carts", `{"line_items":[],"x":${deep}}`],
    ] as const;
    const many = (from: number) =>
      Promise.all(
        times(50, (i) => {
          const [path, raw] = sent[(from + i) % sent.length]!;
          return ask(address, path, asText(raw));
        }),
      );
    return (await inTurn(40, many)).flat();
  },
  (answers) => [
    must("nothing fails", count(answers, 400, 202, 429) === answers.length),
    atMost("calls that are read", count(answers, 400, 202), 1920),
  ],
);

export const input = [bodies, texts, problems, question, ucpLists, ucpMalformed];
