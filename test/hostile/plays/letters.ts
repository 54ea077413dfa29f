/** A shop that writes to people who never asked, or says its password to the network. */
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { WAITLISTED } from "../../support/catalog.ts";
import { runCommand } from "../../support/command.ts";
import { freePort } from "../../support/loopback.ts";
import { eventually } from "../../support/shopper.ts";
import { atMost, inTurn, must, type Play } from "../play.ts";
import { stranger } from "../stage.ts";
import { bought } from "./buying.ts";

/** A mail server without TLS that counts letters by recipient, and sign-ins. */
async function mailServer(port: string) {
  const letters = new Map<string, number>();
  const seen = { signIns: 0, to: (email: string) => letters.get(email) ?? 0 };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth(_auth, _session, answer) {
      seen.signIns++;
      answer(null, { user: "shop" });
    },
    onData(stream, { envelope }, answer) {
      for (const { address } of envelope.rcptTo) letters.set(address, seen.to(address) + 1);
      void text(stream).then(() => answer());
    },
  });
  server.listen(Number(port), "0.0.0.0");
  await once(server.server, "listening");
  return { seen, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

const SMTP_PORT = await freePort();
const OWNER = "owner@example.com";
const VICTIM = "victim@letters.example.com";

const flooded: Play = {
  name: "R7 letters",
  tried: "a public sandbox: 13 orders and a waitlist place under emails of people who never asked",
  env: {
    SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
    MAIL_FROM: "shop@example.com",
    MERCHANT_EMAIL: OWNER,
  },
  async play(stage) {
    const { seen, close } = await mailServer(SMTP_PORT);
    try {
      const waiting = "waiting@letters.example.com";
      const address = stranger();
      const key = await stage.key(address);
      await stage.merchant("stock", "set", WAITLISTED, "0");
      const body = { product_id: WAITLISTED, quantity: 4, buyer: { email: waiting } };
      const joined = await stage.ask(address, "/v1/waitlist", { key, body });
      await stage.merchant("stock", "set", WAITLISTED, "40");
      const place = await stage.ask(address, `/v1/waitlist/${joined.body.id}`, { key });
      await inTurn(13, () => bought(stage, { email: VICTIM }));
      // The merchant's letters have no limit and leave beside the buyer's.
      await eventually(async () => seen.to(OWNER) >= 13);
      const toVictim = seen.to(VICTIM);
      return {
        answered: `13 orders, ${place.body.status}`,
        held: `${toVictim} letters to one, ${seen.to(waiting)} to the other`,
        bounds: [
          atMost("letters to one person a day", toVictim, 10),
          must("letters are sent at all", toVictim > 0),
          must("no bags are held for it", place.body.status === "WAITING"),
          atMost("letters to an address that nobody confirmed", seen.to(waiting), 1),
        ],
      };
    } finally {
      await close();
    }
  },
};

const password: Play = {
  name: "R13 password",
  tried: "a mail server elsewhere that offers no TLS is to get the shop's password",
  short: true,
  async play(stage) {
    const { seen, close } = await mailServer(SMTP_PORT);
    const sent = await runCommand(["merchant", "mail", "test", "--to", OWNER], {
      DATABASE_URL: `sqlite:${stage.databaseFile}`,
      // This machine, under an address that is not a loopback address.
      SMTP_URL: `smtp://shop:secret@0.0.0.0:${SMTP_PORT}`,
      MAIL_FROM: "shop@example.com",
    }).catch((error: { stderr: string }) => error);
    await close();
    return {
      answered: sent.stderr.trim() || "sent",
      bounds: [
        atMost("passwords told in the clear", seen.signIns, 0),
        must("the merchant is told", /TLS/.test(sent.stderr)),
      ],
    };
  },
};

export const letters = [flooded, password];
