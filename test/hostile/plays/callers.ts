/** Costs that one caller causes with many keys, and what they leave to neighbors and the owner. */
import { once } from "node:events";
import { connect } from "node:net";
import { z } from "zod";
import { operations } from "../../../tools/index.ts";
import { STOCKED, WAITLISTED } from "../../support/catalog.ts";
import { form } from "../../support/purchase.ts";
import { fieldsOf, inputWith, LONG_TEXTS } from "../../support/schema-fields.ts";
import { ADDRESS, quoteRequest } from "../../support/shopper.ts";
import { asking, atMost, count, inTurn, must, type Play, quick, statuses, times } from "../play.ts";
import { type Stage, stranger, type TimedAnswer } from "../stage.ts";
import { largestQuote } from "./disks.ts";

/** Keys are free: as many as wanted, of one address. */
const keysOf = ({ key }: Stage, address: string, number: number) =>
  inTurn(number, () => key(address));

const join = ({ ask }: Stage, address: string, key: string, email: string) =>
  ask(address, "/v1/waitlist", {
    key,
    body: { product_id: WAITLISTED, quantity: 20, buyer: { email } },
  });

/** Every text field of every operation, with the path of its input. */
const TEXT_FIELDS = operations.flatMap((op) =>
  fieldsOf(op.input).flatMap(([path, field]) =>
    field instanceof z.ZodString ? [{ op, path }] : [],
  ),
);

const texts: Play = {
  name: "N1 length",
  tried: "100 kB of blanks, letters, dots and accents in every text field, over HTTP and MCP",
  async play(stage) {
    const answers: (TimedAnswer & { field: string })[] = [];
    for (const { op, path } of TEXT_FIELDS) {
      const address = stranger();
      const own = { key: await stage.key(address) };
      for (const [i, text] of LONG_TEXTS.entries()) {
        const sent = inputWith(path, text) as Record<string, unknown>;
        const params = { name: op.name, arguments: { idempotency_key: `n1-${i}`, ...sent } };
        const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
        const field = `${op.name} ${path}`;
        answers.push({ ...(await stage.mcp(address, message, own)), field });
        const inPath = Object.keys(sent).some((name) => op.http.path.includes(`{${name}}`));
        if (op.http.method !== "POST" || inPath) continue;
        const http = op.http.path.replace(/\{\w+\}/g, "none");
        answers.push({ ...(await stage.ask(address, http, { ...own, body: sent })), field });
      }
    }
    const slowest = answers.reduce((a, b) => (a.ms > b.ms ? a : b));
    return {
      answered: `${statuses(answers)}; slowest: ${slowest.field}, ${Math.round(slowest.ms)} ms`,
      bounds: [
        quick(stage, answers),
        must(
          "each is read",
          answers.every(({ status }) => status < 429),
        ),
      ],
    };
  },
};

const bags: Play = {
  name: "N2 bags",
  tried: "20 unconfirmed places of 20 bags with 2 keys of one address, when 20 bags arrive",
  short: true,
  env: {},
  async play(stage) {
    await stage.merchant("stock", "set", WAITLISTED, "0");
    const address = stranger();
    const keys = await keysOf(stage, address, 2);
    const joined = await inTurn(20, (i) =>
      join(stage, address, keys[i % 2]!, `n2-${i}@example.com`),
    );
    await stage.merchant("stock", "set", WAITLISTED, "20");
    const rows = (await stage.merchant("stock", "list")) as { product_id: string; held: number }[];
    const { held } = rows.find(({ product_id }) => product_id === WAITLISTED)!;
    return {
      answered: statuses(joined),
      held: `${held} of 20 bags`,
      bounds: [atMost("bags held for unconfirmed addresses", held, 0)],
    };
  },
};

const letters: Play = {
  name: "N3 letters",
  tried: "40 keys of one address put 400 strangers on a waitlist, each of whom gets a letter",
  env: { RATE_LIMITS: "requests=100000" },
  async play(stage) {
    await stage.merchant("stock", "set", WAITLISTED, "0");
    const address = stranger();
    const keys = await keysOf(stage, address, 40);
    const joined = await inTurn(400, (i) =>
      join(stage, address, keys[i % 40]!, `n3-${i}@example.com`),
    );
    const other = stranger();
    const honest = await join(stage, other, await stage.key(other), "n3-honest@example.com");
    return {
      answered: statuses(joined),
      held: `${count(joined, 201)} letters in a day`,
      bounds: [
        atMost("letters of one address in a day", count(joined, 201), 160),
        must("somebody else can join", honest.status === 201),
      ],
    };
  },
};

const SECRET = "5f2c9a7be014d3866a10c94f7be27d55";

const owner: Play = {
  name: "N4 owner",
  tried:
    "200 wrong desk secrets from 100 networks, and 2,500 requests from the owner's own address",
  short: true,
  env: { MERCHANT_SECRET: SECRET },
  async play({ ask }) {
    const signIn = (address: string, secret: string) =>
      ask(address, "/desk/sign-in", form({ secret }));
    const wrong = await Promise.all(
      times(200, (i) => signIn(`2001:db8:aaaa:${(i >> 1).toString(16)}::${i}`, `wrong-${i}`)),
    );
    const hers = stranger();
    for (let i = 0; i < 50; i++) await Promise.all(times(50, () => ask(hers, "/v1/catalog")));
    const flooded = await ask(hers, "/v1/catalog");
    const right = await signIn(hers, SECRET);
    const cookie = (right.headers.get("set-cookie") ?? "").split(";", 1)[0]!;
    const desk = await ask(hers, "/desk", { headers: { cookie } });
    return {
      answered: `${statuses(wrong)}; the owner ${right.status}, her desk ${desk.status}`,
      bounds: [
        must("no wrong secret was let in", count(wrong, 303) === 0),
        atMost("wrong secrets of one network", count(wrong, 403), 20),
        must("her address is used up", flooded.status === 429),
        must("the right secret opens the desk", right.status === 303),
        must("her desk goes on", desk.status === 200),
      ],
    };
  },
};

const registration = { body: { name: "A", contact_email: "a@example.com" } };

const neighbors = asking(
  ["N6 registrations", "60 registrations of one address, then its next agent registers and quotes"],
  async ({ ask }) => {
    const address = stranger();
    await inTurn(60, () => ask(address, "/v1/agents/register", registration));
    const next = await ask(address, "/v1/agents/register", registration);
    const { api_key: key } = next.body;
    return [next, await ask(address, "/v1/quote-requests", { key, body: quoteRequest() })];
  },
  (answers) => [must("the next agent is served", count(answers, 201) === 2)],
);

const twins = asking(
  ["N7 registration", "a registration with the idempotency key and body of a neighbor"],
  async ({ ask }) => {
    const address = stranger();
    const register = () =>
      ask(address, "/v1/agents/register", { ...registration, idempotencyKey: "n7" });
    const first = await register();
    const second = await register();
    return [first, second, await ask(address, "/v1/orders", { key: first.body.api_key })];
  },
  ([first, second, own]) => [
    must("nobody gets the neighbor's id", first?.body.agent_id !== second?.body.agent_id),
    must("the neighbor's key still works", own?.status === 200),
  ],
);

/** The least budget that there may be, so that a play uses it up. */
const BYTES = 524_288;

const bytes: Play = {
  name: "N8 bytes",
  tried: "20 keys of one address ask for 250 of the largest quotes, then for carts over UCP",
  env: { RATE_LIMITS: `bytes=${BYTES},requests=100000` },
  async play(stage) {
    const { ask } = stage;
    const address = stranger();
    const keys = await keysOf(stage, address, 20);
    const before = stage.databaseBytes();
    const quotes = await inTurn(250, (i) =>
      ask(address, "/v1/quote-requests", { key: keys[i % 20]!, body: largestQuote(i) }),
    );
    const grown = stage.databaseBytes() - before;
    const headers = { "ucp-agent": 'profile="https://agent.example/profile"' };
    const body = { line_items: [{ item: { id: STOCKED }, quantity: 1 }] };
    // Less than one of those quotes is left.
    const carts = await inTurn(300, () => ask(address, "/ucp/carts", { headers, body }));
    const other = await ask(stranger(), "/ucp/carts", { headers, body });
    return {
      answered: `${statuses(quotes)}; carts ${statuses(carts)}`,
      held: `${Math.round(grown / 1000)} kB of disk`,
      bounds: [
        // Tables and indexes take more than their values.
        atMost("times the bytes that the address may store", grown / (16 * BYTES), 2.5),
        must("carts end with the address's bytes", carts.at(-1)!.status === 429),
        must("somebody else's cart is stored", other.status === 201),
      ],
    };
  },
};

const customers: Play = {
  name: "1b customers",
  tried: "20 keys of one address ask for FIRSTBAG under 640 emails, to learn who has bought here",
  env: { RATE_LIMITS: "requests=100000" },
  async play(stage) {
    const address = stranger();
    const keys = await keysOf(stage, address, 20);
    const asked = await inTurn(640, (i) => {
      const body = quoteRequest({ email: `n1b-${i}@example.com`, discount_code: "FIRSTBAG" });
      return stage.ask(address, "/v1/quote-requests", { key: keys[i % 20]!, body });
    });
    return {
      answered: statuses(asked),
      bounds: [atMost("buyers of one address in a day", count(asked, 201, 409, 422), 512)],
    };
  },
};

const manyQuotes: Play = {
  name: "N9 quotes of a page",
  tried: "one checkout page makes 600 quotes, then it is opened again",
  env: { RATE_LIMITS: "requests=100000" },
  async play({ ask, patienceMs }) {
    const address = stranger();
    const link = await ask(address, `/v1/quick-checkout?items=${STOCKED}:1`);
    const page = link.headers.get("location")!;
    const opening = async () => {
      const all = await inTurn(21, () => ask(address, page));
      return all.map(({ ms }) => ms).sort((a, b) => a - b)[10]!;
    };
    const before = await opening();
    const made = await inTurn(600, (i) =>
      ask(address, page, form({ ...ADDRESS, email: `n9-${i}@example.com` })),
    );
    const after = await opening();
    return {
      answered: `${statuses(made)}; ${Math.round(before)} ms, then ${Math.round(after)} ms`,
      bounds: [atMost("ms to open the page", after, Math.min(patienceMs, 4 * before + 10))],
    };
  },
};

/** Sends the beginning of a form to the desk and returns the status of the answer. */
async function begun(port: number, address: string): Promise<{ status: number }> {
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

const forms = asking(
  ["N10 forms", "200 multipart forms of 200 kB to the desk, by nobody who is signed in"],
  ({ port }) => inTurn(200, () => begun(port, stranger())),
  (answers) => [
    must("each is refused before its body came", count(answers, 403) === answers.length),
  ],
);

const followers: Play = {
  name: "6 followers",
  tried: "eight buyers of one address follow their pages, while 40 others want one",
  short: true,
  async play({ ask }) {
    const address = stranger();
    const make = () => ask(address, `/v1/quick-checkout?items=${STOCKED}:1&format=json`);
    const follow = (page: string) =>
      ask(address, `/v1/link-orders?${new URLSearchParams({ checkout_url: page, wait: "1" })}`);
    const pages = await inTurn(8, async () => (await make()).body.checkout_url as string);
    const [followed, made] = await Promise.all([
      Promise.all(pages.map((page) => inTurn(5, () => follow(page)))),
      inTurn(40, make),
    ]);
    const all = followed.flat();
    return {
      answered: `followed ${statuses(all)}; made ${statuses(made)}`,
      bounds: [
        must("every page is followed", count(all, 200) === all.length),
        must("everybody gets a page", count(made, 200) === made.length),
      ],
    };
  },
};

export const callers = [
  texts,
  bags,
  letters,
  owner,
  neighbors,
  twins,
  bytes,
  customers,
  manyQuotes,
  forms,
  followers,
];
