/** Requests that are small to send and were costly to look at. */
import { ADDRESS, quoteRequest } from "../../support/shopper.ts";
import { atMost, count, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger, type Timed } from "../stage.ts";

/** Combining marks in an order that makes normalisation quadratic. */
const MARKS = "\u0301\u0316";

/** What a scanner for secrets or addresses may begin to read at every place. */
const NASTY = ["-eyJ", "4", "4 ", "sk_", "a@", "é", MARKS, "\u200b", "cma_0", "(", "0-"];

const slowest = ({ patienceMs }: Stage, answers: readonly Timed[]) =>
  atMost("ms for the slowest answer", Math.max(...answers.map(({ ms }) => ms)), patienceMs);

const refused = (answers: readonly Timed[]) =>
  must("all are refused as wrong", count(answers, 400, 413, 415, 422, 200) === answers.length);

const buildLink = (buyer_email: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "build_quick_checkout_link",
    arguments: { items: "kenya-nyeri:1", buyer_email },
  },
});

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
    const answers: Timed[] = [];
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
