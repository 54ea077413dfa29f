import { quoteRequest } from "../../support/shopper.ts";
import { atMost, count, type Play, statuses } from "../play.ts";
import { type Stage, stranger, type Timed } from "../stage.ts";

const BEAN = "kenya-nyeri";

interface Shelf {
  on_hand: number;
  held: number;
}

async function shelf({ merchant }: Stage, bean = BEAN): Promise<Shelf> {
  const rows = (await merchant("stock", "list")) as (Shelf & { product_id: string })[];
  return rows.find(({ product_id }) => product_id === bean)!;
}

export const waitlist: Play = {
  name: "H4 waitlist",
  tried: "one key joins the waitlist 60 times with invented emails",
  short: true,
  async play(stage) {
    const address = stranger();
    const own = await stage.key(address);
    const answers: Timed[] = [];
    for (let i = 0; i < 60; i++) {
      const body = {
        product_id: "rwanda-huye",
        quantity: 1,
        buyer: { email: `w${i}@example.com` },
      };
      answers.push(await stage.ask(address, "/v1/waitlist", { key: own, body }));
    }
    const { held } = await shelf(stage, "rwanda-huye");
    return {
      answered: statuses(answers),
      held: `${count(answers, 201)} entries, ${held} bags`,
      bounds: [atMost("entries in an hour", count(answers, 201), 10), atMost("bags held", held, 0)],
    };
  },
};

export const disk: Play = {
  name: "H5 disk",
  tried: "one key asks for the largest quotes that are legal, 60 times in a minute",
  async play(stage) {
    const address = stranger();
    const key = await stage.key(address);
    const before = await stage.databaseBytes();
    const answers: Timed[] = [];
    let sent = 0;
    for (let i = 0; i < 60; i++) {
      const body = largest(i);
      sent += JSON.stringify(body).length;
      answers.push(await stage.ask(address, "/v1/quote-requests", { key, body }));
    }
    const grown = (await stage.databaseBytes()) - before;
    return {
      answered: statuses(answers),
      held: `${Math.round(grown / 1000)} kB of disk`,
      bounds: [
        atMost("quotes in a minute", count(answers, 201), 30),
        atMost("bytes kept for each byte sent", grown / sent, 2),
      ],
    };
  },
};

/** 250 bags with a note each, to 50 addresses: what the limits of a quote allow. */
function largest(i: number) {
  const { buyer, shipments } = quoteRequest({ email: `disk${i}@example.com`, quantity: 5 });
  const note = "For you. ".repeat(22).trim();
  return {
    buyer,
    shipments: Array.from({ length: 50 }, (_, n) => ({
      ...shipments[0],
      recipient_ref: `friend ${n}`,
      gift_notes: Array(5).fill(note),
    })),
  };
}
