/** Taking bags without paying for them. */
import { STOCKED, WAITLISTED } from "../../support/catalog.ts";
import { form } from "../../support/purchase.ts";
import { quoteRequest } from "../../support/shopper.ts";
import { atMost, count, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";
import { ready } from "./buying.ts";

interface StockFigures {
  on_hand: number;
  held: number;
}

async function stockOf({ merchant }: Stage, bean = STOCKED): Promise<StockFigures> {
  const rows = (await merchant("stock", "list")) as (StockFigures & { product_id: string })[];
  return rows.find(({ product_id }) => product_id === bean)!;
}

const buyer = (email: string) =>
  form({
    email,
    name: "A Buyer",
    line1: "1 Main Street",
    city: "Austin",
    region: "TX",
    postal_code: "78701",
  });

/** Fills in a quick-checkout form and presses pay. */
async function pressed(
  { ask }: Stage,
  address: string,
  cart: string,
  email: string,
): Promise<TimedAnswer> {
  const answer = await ask(address, cart, buyer(email));
  const review = answer.headers.get("location");
  return answer.status === 303 && review ? ask(address, review, form({})) : answer;
}

export const stock: Play = {
  name: "H3 stock",
  tried: "one stranger, one cart link, 60 invented emails, pay pressed for each and never paid",
  short: true,
  async play(stage) {
    const address = stranger();
    const link = await stage.ask(address, `/v1/quick-checkout?items=${STOCKED}:100`);
    const cart = link.headers.get("location") ?? "";
    const answers: TimedAnswer[] = [];
    for (let i = 0; i < 60; i++) {
      answers.push(await pressed(stage, address, cart, `invented-${i}@example.com`));
    }
    const { held, on_hand } = await stockOf(stage);
    const honest = await buy(stage);
    return {
      answered: statuses(answers),
      held: `${held} of ${on_hand} bags`,
      bounds: [
        atMost("part of the bean that is held", held / on_hand, 0.5),
        must("somebody else can buy", honest.status === 303),
      ],
    };
  },
};

/** Somebody else quotes two bags and goes to pay. */
async function buy(stage: Stage): Promise<TimedAnswer> {
  const { address, reviewUrl } = await ready(stage, { quantity: 2, email: "honest@example.com" });
  return stage.ask(address, reviewUrl, form({}));
}

export const courtesy: Play = {
  name: "H3 courtesy",
  tried: "a stranger presses pay with FIRSTBAG under a buyer's email, before the buyer does",
  short: true,
  async play(stage) {
    const email = "victim@example.com";
    const own = await ready(stage, { email, discount_code: "FIRSTBAG" });
    const link = `/v1/quick-checkout?items=${STOCKED}:1&discount_code=FIRSTBAG`;
    const strangers = stranger();
    const cart = await stage.ask(strangers, link);
    const theirs = await pressed(stage, strangers, cart.headers.get("location") ?? "", email);
    const buyers = await stage.ask(own.address, own.reviewUrl, form({}));
    const quote = await stage.ask(own.address, `/v1/quotes/${own.id}`, { key: own.key });
    return {
      answered: `stranger ${theirs.status}, buyer ${buyers.status}, quote ${quote.body.status}`,
      bounds: [must("the buyer's quote is not ended", quote.body.status !== "INVALIDATED")],
    };
  },
};

export const waitlist: Play = {
  name: "H4 waitlist",
  tried: "one key joins the waitlist 60 times with invented emails",
  short: true,
  async play(stage) {
    const address = stranger();
    const own = await stage.key(address);
    const answers: TimedAnswer[] = [];
    for (let i = 0; i < 60; i++) {
      const body = {
        product_id: WAITLISTED,
        quantity: 60,
        buyer: { email: `w${i}@example.com` },
      };
      answers.push(await stage.ask(address, "/v1/waitlist", { key: own, body }));
    }
    const { held } = await stockOf(stage, WAITLISTED);
    return {
      answered: statuses(answers),
      held: `${count(answers, 201)} entries, ${held} bags`,
      bounds: [atMost("entries in an hour", count(answers, 201), 10), atMost("bags held", held, 0)],
    };
  },
};

export const networks: Play = {
  name: "R3 networks",
  tried: "twelve /64s of one /48 press pay for 100 bags each, again and again",
  short: true,
  // What it holds would stand in the way of other plays.
  env: {},
  async play(stage) {
    const answers: TimedAnswer[] = [];
    for (let i = 0; i < 60; i++) {
      const address = `2001:db8:b000:${(i % 12) + 1}::1`;
      const link = await stage.ask(address, `/v1/quick-checkout?items=${STOCKED}:100`);
      const cart = link.headers.get("location") ?? "";
      answers.push(await pressed(stage, address, cart, `networks-${i}@example.com`));
    }
    const { held, on_hand } = await stockOf(stage);
    const honest = await buy(stage);
    return {
      answered: statuses(answers),
      held: `${held} of ${on_hand} bags`,
      bounds: [
        atMost("part of the bean that is held", held / on_hand, 0.75),
        must("somebody else can buy", honest.status === 303),
      ],
    };
  },
};

export const offers: Play = {
  name: "R2 R4 offers",
  tried: "pay pressed for half of a waitlist bean, the waitlist joined, then the payment canceled",
  short: true,
  // What it holds would stand in the way of other plays.
  env: {},
  async play(stage) {
    await stage.merchant("stock", "set", WAITLISTED, "40");
    const wanted = { product_id: WAITLISTED, quantity: 20, email: "offers@example.com" };
    const { address, key, reviewUrl } = await ready(stage, wanted);
    const page = await stage.ask(address, reviewUrl, form({}));
    const join = (quantity: number, email: string) => {
      const body = { product_id: WAITLISTED, quantity, buyer: { email } };
      return stage.ask(address, "/v1/waitlist", { key, body });
    };
    const all = await join(40, "all@example.com");
    const half = await join(21, "half@example.com");
    await stage.ask(address, `${reviewUrl}/cancel`, form({ payment: "none" }));
    const { held } = await stockOf(stage, WAITLISTED);
    return {
      answered: `press ${page.status}, ${statuses([all, half])}`,
      held: `${held} of 40 bags`,
      bounds: [
        must("nobody joins for more than one order can have", all.status !== 201),
        atMost("bags held", held, 20),
      ],
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
    const answers: TimedAnswer[] = [];
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
