/** Learning what is private, and text that is more than it seems. */
import { stat } from "node:fs/promises";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { STOCKED } from "../../support/catalog.ts";
import { purchase } from "../../support/purchase.ts";
import { atMost, must, type Play, statuses } from "../play.ts";
import { stranger, type TimedAnswer } from "../stage.ts";

export const whoBought: Play = {
  name: "H12 who bought",
  tried: "asking by quick checkout whether an email has bought here",
  short: true,
  async play({ ask, baseUrl }) {
    const email = "customer@example.com";
    await purchase(baseUrl, { email });
    const asked = (address: string) =>
      ask(
        stranger(),
        `/v1/quick-checkout?items=${STOCKED}:1&discount_code=FIRSTBAG&format=json&buyer_email=${address}`,
      );
    const [bought, never] = [await asked(email), await asked("nobody@example.com")];
    const told = ({ status, body }: TimedAnswer) =>
      JSON.stringify([status, body.pricing, body.errors]);
    return {
      answered: statuses([bought, never]),
      bounds: [must("both are answered alike", told(bought) === told(never))],
    };
  },
};

/** What JSON, SQL, terminals and pages have been taken in by. */
const ESCAPES = ["\\u0001", "\\u0000", "%00", "\\x00", "'; --", "{{7*7}}", "<b>", "\u202ereversed"];

export const escapes: Play = {
  name: "H13 escapes",
  tried: "texts that look like escapes, in names and notes of quick checkout and feedback",
  short: true,
  async play({ ask, key }) {
    const answers: TimedAnswer[] = [];
    for (const text of ESCAPES) {
      const address = stranger();
      const note = `For you ${text}`;
      const link = `/v1/quick-checkout?items=${STOCKED}:1&gift_note=${encodeURIComponent(note)}`;
      const opened = await ask(address, link);
      answers.push(opened);
      const cart = opened.headers.get("location");
      if (cart) answers.push(await ask(address, cart));
      const body = { message: note };
      answers.push(await ask(address, "/v1/feedback", { body, key: await key(address) }));
    }
    const worst = Math.max(...answers.map(({ status }) => status));
    return { answered: statuses(answers), bounds: [atMost("worst status", worst, 499)] };
  },
};

export const readers: Play = {
  name: "H10 readers",
  tried: "another user of the machine reads the database and what lies beside it",
  short: true,
  async play({ databaseFile }) {
    const modes = await Promise.all(
      ["", "-wal", "-shm"].map((end) => stat(databaseFile + end).then(({ mode }) => mode & 0o777)),
    );
    const shown = modes.map((mode) => mode.toString(8)).join(", ");
    return {
      answered: `modes ${shown}`,
      bounds: [
        must(
          "only its owner may",
          modes.every((mode) => (mode & 0o077) === 0),
        ),
      ],
    };
  },
};

export const foreignName: Play = {
  name: "d host name",
  tried: "a page elsewhere makes its own name point to this machine (DNS rebinding)",
  short: true,
  async play({ port }) {
    const paths = ["/", "/v1/catalog", "/desk/sign-in", "/agent-info", "/mcp"];
    const answers = await Promise.all(paths.map((path) => called(port, path)));
    return {
      answered: statuses(answers),
      bounds: [
        must(
          "none is answered",
          answers.every(({ status }) => status === 403),
        ),
      ],
    };
  },
};

/** By a name that fetch would not let one choose. */
function called(port: number, path: string): Promise<{ status: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
  const headers = { host: "evil.example" };
  request({ host: "127.0.0.1", port, path, headers }, async (answer) => {
    await text(answer);
    resolve({ status: answer.statusCode ?? 0 });
  })
    .once("error", reject)
    .end();
  return promise;
}
