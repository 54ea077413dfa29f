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

/** Presses pay 60 times and pays nothing. Its own service: it holds what others want. */
const holding = (
  [name, tried]: readonly [name: string, tried: string],
  from: (i: number) => string,
): Play => ({
  ...{ name, tried, short: true, env: {} },
  async play(stage) {
    const answers = await inTurn(60, (i) =>
      pressLink(stage, from(i), `items=${STOCKED}:100`, `invented-${i}@example.com`),
    );
    const { held, on_hand } = await stockOf(stage);
    const honest = await ready(stage, { quantity: 2, email: "honest@example.com" });
    return {
      answered: statuses(answers),
      held: `${held} of ${on_hand} bags`,
      bounds: [
        atMost("part of the bean that is held", held / on_hand, 0.5),
        must("somebody else can buy", (await press(stage, honest)).status === 303),
      ],
    };
  },
});

const stock = holding(
  [
    "H3 stock",
    "one address presses pay for 100 bags each under 60 invented emails, and never pays",
  ],
  () => "198.51.100.3",
);

const networks = holding(
  ["R3 networks", "twelve /64s of one /48 press pay for 100 bags each, again and again"],
  (i) => `2001:db8:b000:${(i % 12) + 1}::1`,
);

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
      bounds: [must("the buyer's quote is not ended", quote.body.status !== "INVALIDATED")],
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
        must("a buyer behind them is offered bags", status === "OFFERED"),
        must("the merchant can remove an entry", removed.status === "LEFT"),
        atMost("bags held", held, 24),
      ],
    };
  },
};

const offers: Play = {
  name: "R2 R4 offers",
  tried: "pay pressed for half of a waitlist bean, the waitlist joined, then the payment canceled",
  short: true,
  env: {},
  async play(stage) {
    await stage.merchant("stock", "set", WAITLISTED, "40");
    const wanted = { product_id: WAITLISTED, quantity: 20, email: "offers@example.com" };
    const own = await ready(stage, wanted);
    const pressed = await press(stage, own);
    const page = await stage.ask(own.address, pressed.headers.get("location") ?? "");
    const [, cancel = ""] = /href="([^"]+\/cancel[^"]*)"/.exec(page.text) ?? [];
    const before = await stockOf(stage, WAITLISTED);
    const all = await join(stage, 40, "all@example.com", own);
    const more = await join(stage, 21, "more@example.com", own);
    await press(stage, await ready(stage, { ...wanted, quantity: 10, email: "ten@example.com" }));
    const half = await join(stage, 20, "half@example.com", own);
    const canceled = await stage.ask(own.address, cancel.replaceAll("&amp;", "&"));
    const { held } = await stockOf(stage, WAITLISTED);
    const honest = await press(
      stage,
      await ready(stage, { ...wanted, quantity: 15, email: "honest@example.com" }),
    );
    return {
      answered: `held ${before.held}, ${statuses([all, more, half])}, canceled ${canceled.status}, ${honest.status}`,
      held: `${held} of 40 bags`,
      bounds: [
        must("nobody joins for more than one order can have", count([all, more], 201) === 0),
        must("the waitlist can be joined", half.status === 201),
        must("canceling frees the bags", before.held === 20 && canceled.status === 303),
        // Bags of the second buyer.
        atMost("bags held", held, 10),
        must("freed bags go to everybody first", honest.status === 303),
      ],
    };
  },
};

export const bags = [stock, networks, courtesy, waitlist, offers];
