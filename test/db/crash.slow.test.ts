/** An acknowledged write survives any crash of the process or the server. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { lock, readUnlocked } from "../../src/core/command.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { freshPostgres } from "../support/postgres.ts";
import { createPostgres } from "../support/postgres-server.ts";
import { scratchFile } from "../support/stores.ts";
import { open as openInstance } from "./postgres-clients.ts";
import { addStock, held, results, take } from "./rules.ts";

const FROZEN = fileURLToPath(new URL("./frozen-instance.ts", import.meta.url));
const WRITER = fileURLToPath(new URL("./writer.ts", import.meta.url));

interface Writer {
  process: ChildProcess;
  /** Acknowledged writes that it could print. */
  answered: string[];
  ended: Promise<unknown>;
}

/** Starts all writers at once, when the last one is ready. */
async function startWriters(target: string, ...names: string[]): Promise<Writer[]> {
  const writers = names.map((name) => {
    const child = spawn(process.execPath, [WRITER, target, name], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const answered: string[] = [];
    const opened = Promise.withResolvers<void>();
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (lines[0] === "open") opened.resolve();
      answered.push(...lines.filter((line) => line !== "open"));
    });
    const ended = once(child, "close");
    return { process: child, answered, ended, opened: opened.promise };
  });
  await Promise.all(writers.map((writer) => Promise.race([writer.opened, writer.ended])));
  for (const writer of writers) writer.process.stdin.write("go\n");
  return writers;
}

/** Every acknowledged command is stored as a whole, and no bag was taken twice. */
async function check(store: Store, writers: Writer[]): Promise<void> {
  const answered = writers.flatMap((writer) => writer.answered);
  const { names, held } = await store.run(
    {
      // The lock waits for commits that the server still makes for a killed process.
      reads: () => [lock("stock", {}), readUnlocked("settings", {})],
      decide: (_: null, { stock, settings }) => ({
        reply: { names: settings.map(({ name }) => name), held: stock[0]?.held },
        writes: [],
      }),
    },
    null,
  );
  const there = new Set(names);
  expect(answered.filter((name) => !there.has(name))).toEqual([]);
  expect(new Set(answered).size).toBe(answered.length);
  expect(held).toBe(names.length);
}

test("SQLite: two processes share a file and never take a bag twice", async () => {
  const file = await scratchFile();
  // Enough for both to get a turn: SQLite is not fair to waiting writers.
  const store = await openSqlite({ file });
  onTestFinished(() => store.close());
  await addStock(store, { a: 9000 });
  const writers = await startWriters(file, "left", "right");
  await Promise.all(writers.map((writer) => writer.ended));
  await check(store, writers);
  expect(await held(store)).toEqual({ a: 9000 });
  expect(writers.map((writer) => writer.answered.length > 0)).toEqual([true, true]);
});

test("SQLite: a writer killed at any moment loses no acknowledged write", async () => {
  const file = await scratchFile();
  const first = await openSqlite({ file });
  await addStock(first, { a: 1e9 });
  await first.close();
  const writers: Writer[] = [];
  for (const answers of [1, 50, 400]) {
    const [writer] = await startWriters(file, `round${answers}`);
    if (!writer) throw new Error("no writer");
    writers.push(writer);
    await vi.waitFor(() => expect(writer.answered.length).toBeGreaterThan(answers), 10_000);
    writer.process.kill("SIGKILL");
    await writer.ended;
    const store = await openSqlite({ file });
    await check(store, writers);
    await store.close();
  }
  const db = new BetterSqlite3(file, { readonly: true });
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
});

test("PostgreSQL: instances killed at any moment lose no acknowledged write", async () => {
  const url = await freshPostgres();
  const store = await openPostgres({ url });
  onTestFinished(() => store.close());
  await addStock(store, { a: 1e9 });
  const writers = await startWriters(url, "left", "right");
  for (const writer of writers) {
    await vi.waitFor(() => expect(writer.answered.length).toBeGreaterThan(300), 15_000);
    writer.process.kill("SIGKILL");
    await writer.ended;
  }
  await check(store, writers);
});

test("PostgreSQL: a restart under load loses nothing, and the store recovers", async () => {
  const server = await createPostgres({ durable: false });
  onTestFinished(() => server.remove());
  const store = await openPostgres({ url: server.url });
  onTestFinished(() => store.close());
  await addStock(store, { a: 1e9 });
  const [writer] = await startWriters(server.url, "through");
  if (!writer) throw new Error("no writer");
  for (const how of ["fast", "crash"] as const) {
    const before = writer.answered.length;
    await vi.waitFor(() => expect(writer.answered.length).toBeGreaterThan(before + 200), 10_000);
    await server.stop(how);
    expect(await results([store.health()])).toEqual(["STORE_UNAVAILABLE"]);
    await server.start();
    await vi.waitFor(() => store.health(), 10_000);
    const after = writer.answered.length;
    await vi.waitFor(() => expect(writer.answered.length).toBeGreaterThan(after + 200), 10_000);
  }
  writer.process.kill("SIGKILL");
  await writer.ended;
  await check(store, [writer]);
}, 60_000);

test("an instance that hangs in a transaction loses its locks within seconds", async () => {
  const { url, store } = await openInstance({ lockTimeoutMs: 10_000 });
  await addStock(store, { a: 5 });
  const frozen = spawn(process.execPath, [FROZEN, url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void frozen.kill("SIGKILL"));
  await once(frozen.stdout, "data");
  await store.run(take, { products: ["a"] });
  expect(await held(store)).toEqual({ a: 1 });
});
