/** The same request very often. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { STOCKED } from "../../support/catalog.ts";
import { form } from "../../support/purchase.ts";
import { ADDRESS, type Answer, VISA } from "../../support/shopper.ts";
import { asking, atMost, count, inTurn, must, type Play, statuses, times } from "../play.ts";
import { stranger } from "../stage.ts";
import { press, ready } from "./buying.ts";

const registration = { body: { name: "A", contact_email: "a@example.com" } };

const readiness = asking(
  ["H7 readiness", "600 times /readyz, 60 at once"],
  async ({ ask }) =>
    (await inTurn(10, () => Promise.all(times(60, () => ask(stranger(), "/readyz"))))).flat(),
  (answers) => [must("always ready", count(answers, 200) === answers.length)],
);

const presses: Play = {
  name: "R5 R6 presses",
  tried: "one address presses pay on 130 links of 5 keys, while 16 buyers press on theirs",
  env: { RATE_LIMITS: "requests=1000" },
  async play(stage) {
    const owners = await inTurn(5, async () => {
      const address = stranger();
      return { address, key: await stage.key(address) };
    });
    const link = (i: number) =>
      ready(stage, { email: `presses-${i}@example.com` }, owners[i % owners.length]);
    const links = await inTurn(130, link);
    const honest = await inTurn(16, (i) => link(200 + i));
    const before = stage.databaseBytes();
    const from = stranger();
    const [many, buyers] = await Promise.all([
      Promise.all(links.map((one) => press(stage, one, from))),
      Promise.all(honest.map((one) => press(stage, one, stranger()))),
    ]);
    const taken = count([...many, ...buyers], 303);
    const kilobytes = (stage.databaseBytes() - before) / 1000;
    return {
      answered: `${statuses(many)}; buyers ${statuses(buyers)}`,
      held: `${Math.round(kilobytes)} kB of disk`,
      bounds: [
        must("every buyer can pay", count(buyers, 303) === buyers.length),
        atMost("kB of disk a press", kilobytes / taken, 40),
      ],
    };
  },
};

const tokenPages = asking(
  ["R11 token pages", "one address opens a review page 500 times"],
  async (stage) => {
    const { reviewUrl } = await ready(stage, { email: "pages@example.com" });
    const address = stranger();
    return inTurn(500, () => stage.ask(address, reviewUrl));
  },
  (answers) => [atMost("pages in a minute", count(answers, 200), 384)],
);

const webhooks = asking(
  ["R12 webhooks", "500 webhooks with a wrong signature"],
  ({ ask }) => {
    const headers = { "stripe-signature": "t=1,v1=00" };
    return inTurn(500, () => ask(stranger(), "/webhooks/stripe", { raw: "{}", headers }));
  },
  (answers, { log }) => {
    const lines = log().split("a webhook was refused").length - 1;
    return [
      must("all are refused", count(answers, 400) === answers.length),
      // One a minute.
      atMost("lines of the log", lines, 2),
      must("the log tells of it", lines > 0),
    ];
  },
);

const takeOver = asking(
  [
    "R16 registration",
    "a registration repeated by another one of its address, once its key is used",
  ],
  async ({ ask }) => {
    const address = stranger();
    const idempotencyKey = randomUUID();
    const register = () => ask(address, "/v1/agents/register", { ...registration, idempotencyKey });
    const { api_key: key } = (await register()).body;
    await ask(address, "/v1/orders", { key });
    return [await register(), await ask(address, "/v1/orders", { key })];
  },
  ([again, own]) => [
    must("no key is told again", again?.status === 409),
    must("the first key still works", own?.status === 200),
  ],
);

const declines = asking(
  ["R5 declines", "2,000 declined cards and bank checks on one page of the sandbox, 20 addresses"],
  async (stage) => {
    const pressed = await press(stage, await ready(stage, { email: "declines@example.com" }));
    const page = pressed.headers.get("location")!;
    const fields = form({ card: "4000000000000002", outcome: "fail" });
    return inTurn(2000, (i) =>
      stage.ask(`2001:db8:dec:${i % 20}::1`, `${page}/${i % 2 ? "pay" : "challenge"}`, fields),
    );
  },
  (answers) => [atMost("cards that are tried", count(answers, 303), 60)],
);

const corrected: Play = {
  name: "R4 one page, one order",
  tried: "a cart's page is paid under three spellings of the buyer's email",
  short: true,
  async play(stage) {
    const buyer = stranger();
    const link = await stage.ask(buyer, `/v1/quick-checkout?items=${STOCKED}:2`);
    const page = link.headers.get("location")!;
    const reviews = await inTurn(3, (i) =>
      stage.ask(buyer, page, form({ ...ADDRESS, email: `jon-${i}@gmail.com` })),
    );
    const press = (at: Answer) => stage.ask(buyer, at.headers.get("location")!, form({}));
    const open = await inTurn(3, (i) => press(reviews[i]!));
    const paid = await inTurn(3, async (i) => {
      const at = open[i]!.headers.get("location");
      return at && stage.ask(buyer, `${at}/pay`, form({ card: VISA }));
    });
    await delay(2000);
    const all = (await stage.merchant("orders", "list")) as { buyer_email: string }[];
    const orders = all.filter(({ buyer_email }) => buyer_email.startsWith("jon-"));
    return {
      answered: `${paid.filter(Boolean).length} payments tried, ${orders.length} orders`,
      bounds: [must("one order", orders.length === 1)],
    };
  },
};

export const floods = [declines, corrected, readiness, presses, tokenPages, webhooks, takeOver];
