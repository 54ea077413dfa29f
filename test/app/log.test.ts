/** Log lines help the operator, name no person, and never block the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { boundedLines, createLog, errorOf } from "../../src/app/log.ts";
import { MerchantError } from "../../src/core/errors.ts";
import { MailFailed, MailRefused } from "../../src/core/letter.ts";
import { ProviderRejected, ProviderUnavailable } from "../../src/payments/provider.ts";
import { startStripeService } from "../stripe/service.ts";
import { CHILD_ENV, ROOT } from "../support/command.ts";
import { startProcess } from "../support/process.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService } from "../support/service.ts";
import { eventually, send } from "../support/shopper.ts";

test("the reason for an unsettled payment is logged in words", () => {
  const cause = new TypeError("secret");
  const error = new ProviderUnavailable("The provider does not answer.", { cause });
  expect(errorOf(error)).toMatchObject({
    name: "ProviderUnavailable",
    reason: "The provider does not answer.",
    cause: { name: "TypeError" },
  });
  expect(errorOf(new ProviderRejected("No such session.", "resource_missing"))).toMatchObject({
    code: "resource_missing",
    reason: "No such session.",
  });
});

test("an unsent letter and a refused webhook are logged with the reason, refusals once a minute", async () => {
  const told = [new MailFailed("the mail server answered 535"), new MailRefused("ECONNREFUSED")];
  expect(told.map(errorOf)).toMatchObject(told.map(({ message: reason }) => ({ reason })));
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const { baseUrl, clock, stop } = await startStripeService({}, undefined, { log });
  onTestFinished(stop);
  const headers = { "stripe-signature": "t=1,v1=00" };
  const refuse = async (times: number) => {
    for (let i = 0; i < times; i++) await send(baseUrl, "/webhooks/stripe", { raw: "{}", headers });
  };
  const msg = "a webhook was refused";
  const reason = "The signature matches none of STRIPE_WEBHOOK_SECRETS, or it is too old.";
  const written = () => lines.map((line) => JSON.parse(line));
  await refuse(20);
  expect(written()).toMatchObject([{ msg, error: { reason }, refused: 1 }]);
  clock.advance(60_000);
  await refuse(1);
  expect(written().slice(1)).toMatchObject([{ msg, refused: 20 }]);
});

test.each([
  ["0", 1],
  ["1", 0],
])("with TRUST_PROXY=%s, a proxy's headers cause %i warnings", async (TRUST_PROXY, n) => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const { baseUrl, stop } = await startService({ TRUST_PROXY }, undefined, { log });
  onTestFinished(stop);
  await send(baseUrl, "/healthz");
  expect(lines).toEqual([]);
  const headers = { "x-forwarded-for": "192.0.2.7" };
  for (let i = 0; i < 3; i++) await send(baseUrl, "/healthz", { headers });
  expect(lines.filter((line) => line.includes("TRUST_PROXY is 0"))).toHaveLength(n);
});

test.each([
  ["an address", "Invalid email: alex.buyer+gift@example.com is refused", "alex"],
  ["a card", "Card 4242 4242 4242 4242 was declined", "4242"],
  ["a key", "Invalid API key sk_test_abcdef123", "abcdef"],
  ["our own key", "cma_abcdefgh is unknown", "abcdefgh"],
])("logged words leave out %s", (_, message, secret) => {
  for (const error of [new ProviderRejected(message), new MerchantError("INTERNAL", message)]) {
    expect(JSON.stringify({ ...(errorOf(error) as object), at: [] })).not.toContain(secret);
  }
});

test("any other error is logged with its kind and place only", () => {
  const told = errorOf(new Error("what a stranger wrote\n  over two lines")) as { at: string[] };
  expect(JSON.stringify(told)).not.toContain("stranger");
  expect(told.at[0]).toContain("log.test.ts");
});

test("a log file on a full disk delays neither requests nor the stop", async () => {
  const folder = await scratchFolder("log");
  const file = join(folder, "log");
  await writeFile(file, "");
  // A read-only file refuses each line, like a file on a full disk.
  const shop = await startProcess(
    { DATABASE_URL: "sqlite::memory:" },
    { log: openSync(file, "r") },
  );
  onTestFinished(() => shop.signal("SIGKILL"));
  for (let i = 0; i < 20; i++) expect((await send(shop.baseUrl, "/healthz")).status).toBe(200);
  expect(await shop.end("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("lines that a full disk takes only in part are counted as dropped", async () => {
  const folder = await scratchFolder("log");
  const file = join(folder, "log");
  await writeFile(file, "");
  const program = `
    import { truncateSync } from "node:fs";
    import { createLog } from ${JSON.stringify(join(ROOT, "src/app/log.ts"))};
    const log = createLog("info");
    for (let i = 0; i < 100; i++) log.info("x".repeat(1000));
    process.stdin.once("data", () => {
      truncateSync(${JSON.stringify(file)});
      log.info("room again");
    });`;
  const command = `ulimit -f 64; exec "$0" --input-type=module -e "$1" 2>>"${file}"`;
  const child = spawn("sh", ["-c", command, process.execPath, program], { env: CHILD_ENV });
  // The limit is in blocks of 512 bytes, and a read may come before the write is done.
  const full = async () => {
    const text = await readFile(file, "utf8");
    return text.length >= 64 * 512 && text;
  };
  const taken = await eventually(full);
  child.stdin.end("go on");
  expect(await once(child, "exit")).toEqual([0, null]);
  const [, told = "", last] = (await readFile(file, "utf8")).split("\n");
  const whole = taken.split("\n").length - 1;
  expect(whole).toBeGreaterThan(0);
  expect(JSON.parse(told)).toMatchObject({ msg: "log lines were dropped", dropped: 100 - whole });
  expect(last).toContain("room again");
});

test("lines beyond the limit of a slow reader are dropped, counted and reported", async () => {
  const writes: { text: string; done: () => void }[] = [];
  const slow = (text: Buffer, done: (taken: number) => void) =>
    void writes.push({ text: `${text}`, done: () => done(text.length) });
  const log = createLog("info", boundedLines(slow, 1000));
  for (let i = 0; i < 100; i++) log.info({ i }, "a line");
  await vi.waitUntil(() => writes.length > 0);
  for (const { done } of writes) done();
  const lines = writes.flatMap(({ text }) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  const told = lines.filter(({ msg }) => msg === "log lines were dropped");
  const kept = lines.filter(({ msg }) => msg === "a line");
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.map((line) => `${JSON.stringify(line)}\n`).join("").length).toBeLessThanOrEqual(1000);
  expect(told).toMatchObject([{ dropped: 100 - kept.length }]);
});

test("lines dropped during a write are reported once, also if no other line follows", async () => {
  const writes: { text: string; done: () => void }[] = [];
  const lines = boundedLines(
    (text, done) => void writes.push({ text: `${text}`, done: () => done(text.length) }),
    10,
  );
  lines.write("some line\n");
  await vi.waitUntil(() => writes.length > 0);
  lines.write("another\n");
  for (let i = 0; i < 4; i++) writes[i]?.done();
  expect(writes.map(({ text }) => /"dropped":\d/.exec(text)?.[0] ?? text)).toEqual([
    "some line\n",
    '"dropped":1',
  ]);
});

test("a service whose log is not read keeps running, and stops on a signal", async () => {
  const shop = await startProcess({ DATABASE_URL: "sqlite::memory:" }, { log: "unread" });
  onTestFinished(() => shop.signal("SIGKILL"));
  const path = `/${"x".repeat(200)}`;
  for (let i = 0; i < 10; i++) {
    const all = Array.from({ length: 40 }, () => send(shop.baseUrl, path));
    for (const { status } of await Promise.all(all)) expect(status).toBe(404);
  }
  expect((await shop.end("SIGTERM")).code).toBe(0);
});
