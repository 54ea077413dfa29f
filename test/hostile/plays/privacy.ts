/** Reading or erasing what belongs to others, and text that is more than it seems. */
import { once } from "node:events";
import { get } from "node:http";
import { merchantAt, SECRET } from "../../desk/visitor.ts";
import { STOCKED } from "../../support/catalog.ts";
import { freePort } from "../../support/loopback.ts";
import { asking, atMost, count, inTurn, must, type Play, statuses, times } from "../play.ts";
import { stranger, type TimedAnswer } from "../stage.ts";
import { bought, press, ready } from "./buying.ts";

const whoBought = asking(
  ["H12 who bought", "asking by quick checkout whether an email has bought here"],
  async (stage) => {
    await bought(stage, { email: "buyer0@example.com" });
    const query = `items=${STOCKED}:1&discount_code=FIRSTBAG&format=json&buyer_email=buyer`;
    return inTurn(2, (i) => stage.ask(stranger(), `/v1/quick-checkout?${query}${i}@example.com`));
  },
  (answers) => {
    const told = answers.map(({ status, body }) =>
      JSON.stringify([status, body.pricing, body.errors]),
    );
    return [must("both get the same answer", told[0] === told[1])];
  },
);

/** Escapes that have fooled JSON, SQL, terminals and pages. */
const ESCAPES = ["\\u0001", "\\u0000", "%00", "\\x00", "'; --", "{{7*7}}", "<b>", "\u202ereversed"];

const escapes = asking(
  ["H13 escapes", "texts that look like escapes, in notes of quick checkout and feedback"],
  async ({ ask, key }) => {
    const answers: TimedAnswer[] = [];
    for (const words of ESCAPES) {
      const address = stranger();
      const note = `For you ${words}`;
      const link = `/v1/quick-checkout?items=${STOCKED}:1&gift_note=${encodeURIComponent(note)}`;
      const opened = await ask(address, link);
      answers.push(opened);
      const cart = opened.headers.get("location");
      if (cart) answers.push(await ask(address, cart));
      const body = { message: note };
      answers.push(await ask(address, "/v1/feedback", { body, key: await key(address) }));
    }
    return answers;
  },
  (answers) => [atMost("worst status", Math.max(...answers.map(({ status }) => status)), 499)],
);

const erase: Play = {
  name: "R8 R14 erase",
  tried: "erasing a person with an open payment of a stranger, beside people with longer addresses",
  short: true,
  async play(stage) {
    const email = "ann@erase.example.co";
    const others = ["joann@erase.example.com", "ann@erase.example.co.uk"];
    const address = stranger();
    const key = await stage.key(address);
    for (const one of [...others, email]) {
      const body = { email: one, purpose: `Coffee for ${one}.` };
      await stage.ask(address, "/v1/bulk-leads", { key, body });
    }
    const strangers = await ready(stage, { email });
    const pressed = await press(stage, strangers);
    const erased = await stage.merchant("customers", "erase", email);
    const leads = JSON.stringify(await stage.merchant("leads", "list"));
    const kept = others.filter((one) => leads.split(one).length === 3);
    const page = await stage.ask(stranger(), strangers.reviewUrl);
    return {
      answered: `press ${pressed.status}, erased ${JSON.stringify(erased)}`,
      bounds: [
        atMost("people who lost their data, too", others.length - kept.length, 0),
        must("her lead is erased", !leads.includes(`"${email}"`)),
        must(
          "the stranger's page forgets her",
          pressed.status === 303 && !page.text.includes(email),
        ),
      ],
    };
  },
};

const FORMULA = "Bob;=1+1;";

const desk: Play = {
  name: "R9 R10 desk",
  tried: "desk searches and exports among orders of 50 shipments to a street that is a formula",
  env: { MERCHANT_SECRET: SECRET },
  async play(stage) {
    await Promise.all(
      times(20, (i) =>
        bought(stage, { email: `r9-${i}@example.com`, shipments: 50, line1: FORMULA }),
      ),
    );
    const merchant = await merchantAt(stage.baseUrl);
    const paths = ["bob", "nobody at all"].map((words) => `orders?q=${encodeURIComponent(words)}`);
    const files = ["orders", "shipments", "refunds"].map((name) => `export/${name}.csv`);
    const answers = await Promise.all(
      times(4, () => [...paths, ...files].map((path) => merchant.get(`/desk/${path}`))).flat(),
    );
    const csv = answers
      .map((answer) => answer.text)
      .find((all) => all.split("\r\n", 1)[0]!.includes(",line1,"));
    return {
      answered: statuses(answers),
      bounds: [
        must("all are answered", count(answers, 200) === answers.length),
        must("the formula is disarmed", csv?.includes("Bob;'=1+1;") === true),
        atMost("formulas", csv?.split(FORMULA).length ?? 9, 1),
      ],
    };
  },
};

/** Sends a Host header that fetch would not. */
async function rebound(port: string | number, path: string): Promise<{ status: number }> {
  const headers = { host: "evil.example" };
  const [answer] = await once(get({ host: "127.0.0.1", port, path, headers }), "response");
  answer.resume();
  return { status: answer.statusCode };
}

const METRICS_PORT = await freePort();

const hostNames = asking(
  [
    "R17 host name",
    "a web page under its own host name reads the service and its metrics (rebinding)",
  ],
  async ({ port }) => {
    const paths = ["/", "/v1/catalog", "/desk/sign-in", "/agent-info", "/mcp"];
    const metrics = rebound(METRICS_PORT, "/metrics");
    return Promise.all([...paths.map((path) => rebound(port, path)), metrics]);
  },
  (answers) => [must("none is answered", count(answers, 403) === answers.length)],
  { env: { METRICS_PORT } },
);

export const privacy = [whoBought, escapes, erase, desk, hostNames];
