/** Taking bags without paying for them. */
import { STOCKED, WAITLISTED } from "../../support/catalog.ts";
import { form } from "../../support/purchase.ts";
import { ADDRESS } from "../../support/shopper.ts";
import { atMost, count, inTurn, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger } from "../stage.ts";
import { press, ready } from "./buying.ts";

interface StockFigures {
  product_id: string;
  on_hand: number;
  held: number;
}

async function stockOf({ merchant }: Stage, bean = STOCKED): Promise<StockFigures> {
  const rows = (await merchant("stock", "list")) as StockFigures[];
  return rows.find(({ product_id }) => product_id === bean)!;
}

/** Opens a quick-checkout link from anywhere, then fills in its form and presses pay. */
async function pressLink({ ask }: Stage, from: string, query: string, email: string) {
  const link = await ask(stranger(), `/v1/quick-checkout?${query}`);
  const cart = link.headers.get("location") ?? "";
  const answer = await ask(from, cart, form({ ...ADDRESS, email }));
  const review = answer.headers.get("location");
  return answer.status === 303 && review ? ask(from, review, form({})) : answer;
}

const stock: Play = {
  name: "H3 R3 stock",
  tried: "twelve networks press pay for all bags under 60 invented emails, and never pay",
  short: true,
  env: {},
  async play(stage) {
    const answers = await inTurn(60, (i) =>
      pressLink(stage, `198.51.${i % 12}.3`, `items=${STOCKED}:100`, `invented-${i}@example.com`),
    );
    const { held, on_hand } = await stockOf(stage);
    const honest = await ready(stage, { quantity: 25, email: "honest@example.com" });
    return {
      answered: statuses(answers),
      held: `${held} of ${on_hand} bags`,
      bounds: [
        atMost("bags held", held, 0),
        must("somebody else can buy 25", (await press(stage, honest)).status === 303),
      ],
    };
  },
};

const courtesy: Play = {
  name: "H3 courtesy",
  tried: "a stranger presses pay with FIRSTBAG under a buyer's email, before the buyer does",
  short: true,
  async play(stage) {
    const email = "victim@example.com";
    const own = await ready(stage, { email, discount_code: "FIRSTBAG" });
    const query = `items=${STOCKED}:1&discount_code=FIRSTBAG`;
    const strangers = await pressLink(stage, stranger(), query, email);
    const buyers = await press(stage, own);
    const quote = await stage.ask(own.address, `/v1/quotes/${own.id}`, { key: own.key });
    return {
      answered: `stranger ${strangers.status}, buyer ${buyers.status}, quote ${quote.body.status}`,
      bounds: [
        must("the buyer's quote is not ended", quote.body.status !== "INVALIDATED"),
        must("the buyer can pay", buyers.status === 303),
      ],
    };
  },
};

const join = (
  { ask }: Stage,
  quantity: number,
  email: string,
  own: { address: string; key: string },
) =>
  ask(own.address, "/v1/waitlist", {
    key: own.key,
    body: { product_id: WAITLISTED, quantity, buyer: { email } },
  });

const waitlist: Play = {
  name: "H4 R4 waitlist",
  tried: "one key joins the waitlist 60 times for 20 bags, before a buyer who wants 4; 40 arrive",
  short: true,
  env: {},
  async play(stage) {
    await stage.merchant("stock", "set", WAITLISTED, "0");
    const own = { address: stranger(), key: await stage.key(stranger()) };
    const entries = await inTurn(60, (i) => join(stage, 20, `w${i}@example.com`, own));
    const buyer = { address: stranger(), key: await stage.key(stranger()) };
    const honest = await join(stage, 4, "honest@example.com", buyer);
    await stage.confirm(honest.body.id);
    await stage.merchant("stock", "set", WAITLISTED, "40");
    const path = `/v1/waitlist/${honest.body.id}`;
    const { status } = (await stage.ask(buyer.address, path, { key: buyer.key })).body;
    const removed = await stage.merchant("waitlist", "remove", entries[1]!.body.id);
    const { held } = await stockOf(stage, WAITLISTED);
    return {
      answered: `${statuses(entries)}; buyer ${status}; removed ${removed.status}`,
      held: `${held} of 40 bags`,
      bounds: [
        atMost("entries in an hour", count(entries, 201), 10),
        must("a confirmed buyer behind them is offered bags", status === "OFFERED"),
        must("the merchant can remove an entry", removed.status === "LEFT"),
        atMost("bags held", held, 4),
      ],
    };
  },
};

export const bags = [stock, courtesy, waitlist];
