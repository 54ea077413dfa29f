/** Requests that are small to send and were costly to look at. */
import { gzipSync } from "node:zlib";
import { STOCKED } from "../../support/catalog.ts";
import { ADDRESS, quoteRequest } from "../../support/shopper.ts";
import { atMost, count, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";

/** Combining marks in an order that makes normalisation quadratic. */
const MARKS = "\u0301\u0316";

/** What a scanner for secrets or addresses may begin to read at every place. */
const NASTY = ["-eyJ", "4", "4 ", "sk_", "a@", "é", MARKS, "\u200b", "cma_0", "(", "0-"];

const slowest = ({ patienceMs }: Stage, answers: readonly TimedAnswer[]) =>
  atMost("ms for the slowest answer", Math.max(...answers.map(({ ms }) => ms)), patienceMs);

const refused = (answers: readonly TimedAnswer[]) =>
  must("all are refused as wrong", count(answers, 400, 413, 415, 422, 200) === answers.length);

const buildLink = (buyer_email: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "build_quick_checkout_link",
    arguments: { items: `${STOCKED}:1`, buyer_email },
  },
});

export const inflated: Play = {
  name: "H1 inflated",
  tried: "220,000 combining marks as an email, gzipped to some hundred bytes, without a key",
  short: true,
  async play(stage) {
    const { ask } = stage;
    const address = stranger();
    const email = MARKS.repeat(110_000);
    const bodies = [
      ["/mcp", buildLink(email)],
      ["/v1/agents/register", { name: "A", contact_email: email }],
    ] as const;
    const answers = [];
    for (const [path, body] of bodies) {
      answers.push(
        await ask(address, path, {
          method: "POST",
          raw: gzipSync(JSON.stringify(body)),
          headers: {
            "content-type": "application/json",
            "content-encoding": "gzip",
            accept: "application/json, text/event-stream",
          },
        }),
      );
    }
    return {
      answered: statuses(answers),
      bounds: [slowest(stage, answers), must("nothing is inflated", count(answers, 415) === 2)],
    };
  },
};

export const marks: Play = {
  name: "H1 marks",
  tried: "60,000 combining marks in every field of six writes",
  short: true,
  async play(stage) {
    const { ask, mcp, key } = stage;
    const address = stranger();
    const text = MARKS.repeat(14_000);
    const own = await key(address);
    const quote = quoteRequest();
    const answers = [
      await ask(address, "/v1/agents/register", { body: { name: text, contact_email: text } }),
      await mcp(address, buildLink(text)),
      await ask(address, "/v1/quote-requests", {
        key: own,
        body: { ...quote, buyer: { email: text } },
      }),
      await ask(address, "/v1/quote-requests", {
        key: own,
        body: quoteRequest({ gift_notes: [text] }),
      }),
      await ask(address, "/v1/quote-requests", {
        key: own,
        body: {
          ...quote,
          shipments: [{ ...quote.shipments[0], address: { ...ADDRESS, line1: text } }],
        },
      }),
      await ask(address, `/v1/ask?q=${encodeURIComponent(MARKS.repeat(900))}`),
    ];
    return { answered: statuses(answers), bounds: [slowest(stage, answers), refused(answers)] };
  },
};

export const scanned: Play = {
  name: "H2 scanned",
  tried: "100 kB of what looks like the beginning of a secret, in feedback and a cancel request",
  short: true,
  async play(stage) {
    const { ask, key } = stage;
    const answers: TimedAnswer[] = [];
    for (const [i, piece] of NASTY.entries()) {
      const address = stranger();
      const own = await key(address);
      const message = piece.repeat(Math.floor(100_000 / Buffer.byteLength(piece)));
      const orderPath = "/v1/orders/ord_none/cancel-requests";
      answers.push(
        await ask(address, "/v1/feedback", { key: own, body: { message } }),
        await ask(address, orderPath, { key: own, body: { reason_code: "OTHER", message } }),
        // The longest that is allowed, too.
        await ask(address, "/v1/feedback", {
          key: own,
          body: { message: message.slice(0, 1990 + i) },
        }),
      );
    }
    return { answered: statuses(answers), bounds: [slowest(stage, answers)] };
  },
};

const AMPLIFYING = {
  "20,000 unknown fields": () =>
    Object.fromEntries(Array.from({ length: 14_000 }, (_, i) => [`f${i}`, 0])),
  "8,000 empty gift notes": () => quoteRequest({ gift_notes: Array(8000).fill("") }),
  "1,000 empty shipments": () => ({ ...quoteRequest(), shipments: Array(1000).fill({}) }),
};

const FIXED_BYTES = 65_536;

export const amplified: Play = {
  name: "H6 problems",
  tried: "thousands of mistakes in one request, over both interfaces",
  short: true,
  async play(stage) {
    const address = stranger();
    const own = await stage.key(address);
    const answers = await wrongQuotes(stage, address, own);
    const largest = Math.max(...answers.map(({ text }) => Buffer.byteLength(text)));
    return {
      answered: `${statuses(answers)}, at most ${largest} bytes`,
      bounds: [
        slowest(stage, answers),
        atMost("bytes of the longest answer", largest, FIXED_BYTES),
      ],
    };
  },
};

async function wrongQuotes(
  { ask, mcp }: Stage,
  address: string,
  key: string,
): Promise<TimedAnswer[]> {
  const answers: TimedAnswer[] = [];
  for (const make of Object.values(AMPLIFYING)) {
    const body = make();
    answers.push(await ask(address, "/v1/quote-requests", { key, body }));
    const params = { name: "request_quote", arguments: { ...body, idempotency_key: "k" } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    answers.push(await mcp(address, message, { key }));
  }
  return answers;
}

export const large: Play = {
  name: "H1 large",
  tried: "bodies of 200 kB and 10 MB on both interfaces",
  short: true,
  async play(stage) {
    const { ask, mcp } = stage;
    const address = stranger();
    const answers = [];
    for (const size of [200_000, 10_000_000]) {
      const body = { name: "x".repeat(size), contact_email: "a@example.com" };
      answers.push(await ask(address, "/v1/agents/register", { body }), await mcp(address, body));
    }
    return {
      answered: statuses(answers),
      bounds: [slowest(stage, answers), must("all are too large", count(answers, 413) === 4)],
    };
  },
};
