/** Letters over a real SMTP server. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { MailRefused } from "../../src/core/letter.ts";
import { smtpMailer } from "../../src/mail/smtp.ts";

const LETTER = {
  from: 'Coffee, "Merchant"',
  html: "<p>Your coffee.</p>",
  to: "buyer@example.com",
  replyTo: null,
  subject: "Thank you",
  text: "Your coffee.\n",
};

/** A mail server that accepts letters, or refuses recipients, senders or sign-ins with a code. */
async function mailServer(refuse?: number, at: "recipient" | "sender" | "sign-in" = "recipient") {
  const refusal = (where: typeof at) =>
    refuse && at === where ? Object.assign(new Error("no"), { responseCode: refuse }) : null;
  const received: { to: string[]; raw: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_auth, _session, answer) => answer(refusal("sign-in"), { user: "shop" }),
    onMailFrom: (_address, _session, answer) => answer(refusal("sender")),
    onRcptTo: (_address, _session, answer) => answer(refusal("recipient")),
    onData(stream, session, answer) {
      void buffer(stream).then((raw) => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: raw.toString(),
        });
        answer();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://shop:key@127.0.0.1:${port}`;
  const mailer = smtpMailer({ url, from: "shop@example.com" });
  onTestFinished(async () => {
    mailer.close();
    await new Promise<void>((resolve) => server.close(resolve));
  });
  return { mailer, received, url };
}

test("a letter arrives with its subject and text, and the same letter keeps its message id", async () => {
  const { mailer, received } = await mailServer();
  await mailer.send(LETTER, "RECEIPT_1");
  await mailer.send(LETTER, "RECEIPT_1");
  await mailer.send(LETTER, "RECEIPT_2");
  expect(received.map(({ to }) => to)).toEqual(Array(3).fill([LETTER.to]));
  expect(received[0]?.raw).toContain("Subject: Thank you");
  expect(received[0]?.raw).toContain("Your coffee.");
  expect(received[0]?.raw).toContain("<p>Your coffee.</p>");
  expect(received[0]?.raw).toMatch(/^From: "Coffee, \\"Merchant\\"" <shop@example.com>/m);
  const ids = received.map(({ raw }) => /^Message-ID: (.+)$/im.exec(raw)?.[1]);
  expect(ids[0]).toBeTruthy();
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test("an answer goes to the letter's Reply-To, else to the sender", async () => {
  const { mailer, received } = await mailServer();
  await mailer.send({ ...LETTER, replyTo: "help@coffee.example" }, "RECEIPT_4");
  await mailer.send(LETTER, "RECEIPT_5");
  expect(received.map(({ raw }) => /^Reply-To: (.+?)\r?$/im.exec(raw)?.[1])).toEqual([
    "help@coffee.example",
    undefined,
  ]);
});

test("a subject cannot add a header or a recipient", async () => {
  const { mailer, received } = await mailServer();
  await mailer.send({ ...LETTER, subject: "One\r\nBcc: x@example.com" }, "RECEIPT_3");
  expect(received[0]?.to).toEqual([LETTER.to]);
  expect(received[0]?.raw).not.toMatch(/^Bcc:/m);
});

test("no password goes to another host in clear text, unless its URL allows it", async () => {
  const { received, url } = await mailServer();
  // Reaches this machine under an address that is not a loopback address.
  const elsewhere = url.replace("127.0.0.1", "0.0.0.0");
  const strict = smtpMailer({ url: elsewhere, from: "shop@example.com" });
  await expect(strict.send(LETTER, "e")).rejects.toThrow("to STARTTLS; TLS is required");
  expect(received).toEqual([]);
  const lax = smtpMailer({ url: `${elsewhere}?requireTLS=false`, from: "shop@example.com" });
  await lax.send(LETTER, "e");
  expect(received).toHaveLength(1);
  strict.close();
  lax.close();
});

test("a permanent refusal of a recipient is final, a temporary one is not", async () => {
  await expect((await mailServer(550)).mailer.send(LETTER, "a")).rejects.toThrow(MailRefused);
  const later = (await mailServer(451)).mailer.send(LETTER, "b");
  await expect(later).rejects.toThrow("the mail server answered 451");
  await expect(later).rejects.not.toBeInstanceOf(MailRefused);
});

test("a refused sign-in or sender gives up no letter, because the merchant can fix it", async () => {
  for (const [at, code] of [
    ["sign-in", 534],
    ["sign-in", 550],
    ["sender", 553],
    ["recipient", 530],
  ] as const) {
    const sending = (await mailServer(code, at)).mailer.send(LETTER, "d");
    await expect(sending, `${at} ${code}`).rejects.toThrow(
      `the mail server answered ${code} to the ${at}`,
    );
    await expect(sending, `${at} ${code}`).rejects.not.toBeInstanceOf(MailRefused);
  }
});

test("a missing server is retried later, and no error repeats the address", async () => {
  const mailer = smtpMailer({ url: "smtp://127.0.0.1:1", from: "shop@example.com" });
  const sending = mailer.send(LETTER, "c");
  await expect(sending).rejects.not.toBeInstanceOf(MailRefused);
  await expect(sending).rejects.not.toThrow(LETTER.to);
  await expect(sending).rejects.toThrow("connect ECONNREFUSED 127.0.0.1:1");
  mailer.close();
});
