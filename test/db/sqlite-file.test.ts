/** SQLite's file: permissions, durability, disk space, and backups copied over it. */
import fs from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Rule } from "../../src/core/command.ts";
import type { AgentId } from "../../src/core/ids.ts";
import { ROOM } from "../../src/core/policy.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { scratchFile } from "../support/stores.ts";
import { setting, write } from "./rules.ts";

afterEach(() => void vi.restoreAllMocks());

async function open(file: string) {
  const store = await openSqlite({ file });
  onTestFinished(() => store.close());
  return store;
}

const modeOf = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8);

/** Records file system calls from now on, with paths instead of descriptors. */
function recorded(): string[] {
  const calls: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, renameSync } = fs;
  vi.spyOn(fs, "openSync").mockImplementation((path, ...rest) => {
    const descriptor = openSync(path, ...rest);
    paths.set(descriptor, String(path));
    return descriptor;
  });
  vi.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    calls.push(`sync ${paths.get(descriptor)}`);
    fsyncSync(descriptor);
  });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    calls.push(`rename ${from} ${to}`);
    renameSync(from, to);
  });
  return calls;
}

test("the log shrinks again after a burst that a reader kept from being checkpointed", async () => {
  const file = await scratchFile();
  const store = await open(file);
  await store.run(write, [setting("a", "1")]);
  const reader = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM settings").get();
  const big = "x".repeat(3_000_000);
  for (let i = 0; i < 8; i++) await store.run(write, [setting(`big${i}`, big)]);
  const size = () => fs.statSync(`${file}-wal`).size;
  expect(size()).toBeGreaterThan(20_000_000);
  reader.exec("COMMIT");
  // The first commit checkpoints the log, the next one begins it again.
  for (let i = 0; i < 3; i++) await store.run(write, [setting(`small${i}`, "1")]);
  expect(size()).toBeLessThanOrEqual(16 * 1024 * 1024);
});

describe("only the owner can read", () => {
  test("the database, its journals and a backup, with any umask", async () => {
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const file = await scratchFile();
    const store = await open(file);
    await store.run(write, [setting("a", "1")]);
    await store.backup(`${file}.copy`);
    for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}.copy`]) {
      expect([path, modeOf(path)]).toEqual([path, "600"]);
    }
  });

  test("a database that an older version left readable for others", async () => {
    const file = await scratchFile();
    await (await openSqlite({ file })).close();
    fs.chmodSync(file, 0o644);
    const store = await open(file);
    await store.run(write, [setting("a", "1")]);
    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual(["600", "600"]);
  });

  test("a file of another program is refused, and stays as it is", async () => {
    const [text, others] = [await scratchFile("notes"), await scratchFile("others.db")];
    // Has the bytes that mark a backup.
    fs.writeFileSync(text, "copy".repeat(100));
    const client = new BetterSqlite3(others);
    client.exec("create table notes (text)");
    client.close();
    for (const file of [text, others]) {
      fs.chmodSync(file, 0o644);
      const before = fs.readFileSync(file);
      await expect(openSqlite({ file })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect([modeOf(file), fs.readFileSync(file).equals(before)]).toEqual(["644", true]);
    }
  });

  test("a folder named as the database is refused, and its permissions stay", async () => {
    const folder = await scratchFile("shop");
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o755);
    await expect(openSqlite({ file: folder })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(modeOf(folder)).toBe("755");
  });
});

describe("acknowledged writes survive a power loss", () => {
  test("every created folder is synced, and so is its parent", async () => {
    const root = join(await scratchFile("."));
    const calls = recorded();
    await open(join(root, "shop", "data", "merchant.db"));
    for (const folder of [join(root, "shop", "data"), join(root, "shop"), root]) {
      expect(calls).toContain(`sync ${folder.replace(/\/$/, "")}`);
    }
  });

  test("commits that a killed process left in the log are in the file before the first reply", async () => {
    const file = await scratchFile();
    const store = await open(file);
    await store.run(write, [setting("a", "1")]);
    // A killed process never checkpoints its log.
    const [left, alone] = [`${file}.left`, `${file}.alone`];
    for (const end of ["", "-wal"]) fs.copyFileSync(file + end, left + end);
    await open(left);
    fs.copyFileSync(left, alone);
    const copy = new BetterSqlite3(alone, { readonly: true });
    expect(copy.prepare("select value from settings").pluck().all()).toEqual(["1"]);
    copy.close();
  });

  test("a backup is synced before it is renamed, and leaves no journal", async () => {
    const file = await scratchFile();
    const store = await open(file);
    const folder = join(file, "..");
    const calls = recorded();
    await store.backup(join(folder, "copy.db"));
    const partial = calls[0]!.replace("sync ", "");
    expect(partial).toContain("copy.db.partial");
    expect(calls).toEqual([
      `sync ${partial}`,
      `rename ${partial} ${join(folder, "copy.db")}`,
      `sync ${folder}`,
    ]);
    expect(fs.readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });
});

test("another connection's lock delays commands and nothing else", async () => {
  const file = await scratchFile();
  const store = await open(file);
  const other = new BetterSqlite3(file);
  other.exec("begin immediate");
  let answered = false;
  const command = store.run(write, [setting("a", "1")]).then(() => {
    answered = true;
  });
  // If SQLite blocked the event loop, the first turn would already bring the refusal.
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  expect(answered).toBe(false);
  expect(await store.queries.setting("a")).toBeUndefined();
  other.exec("commit");
  other.close();
  await command;
  expect(await store.queries.setting("a")).toBe("1");
});

describe("a disk that fills up", () => {
  const needing = (room: number): Rule<string, null> => ({
    reads: () => [],
    decide: (name) => ({ reply: null, writes: [setting(name, "1")], room }),
  });

  test("refuses agents' requests first, then new payments, and never a started payment", async () => {
    const store = await open(await scratchFile());
    let now = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const disk = vi.spyOn(fs, "statfsSync");
    const left = (bytes: number) => {
      now += 2000;
      const blocks = { bsize: 1, blocks: 1e12, bavail: bytes };
      disk.mockReturnValue(blocks as unknown as ReturnType<typeof fs.statfsSync>);
    };
    const offer = (name: string) => store.run(needing(ROOM.offers_bytes), name);
    const payment = (name: string) => store.run(needing(ROOM.payments_bytes), name);
    const full = { code: "STORE_UNAVAILABLE", status: 503, retryAfter: 60 };

    left(ROOM.offers_bytes);
    await offer("a");
    expect(await store.health()).toEqual({ room: true });
    left(ROOM.offers_bytes - 1);
    await expect(offer("b")).rejects.toMatchObject(full);
    await payment("c");
    expect(await store.health()).toEqual({ room: false });
    left(ROOM.payments_bytes - 1);
    await expect(payment("d")).rejects.toMatchObject(full);
    await store.run(write, [setting("e", "1")]);
    left(ROOM.offers_bytes);
    await offer("f");
    expect(await store.health()).toEqual({ room: true });
  });

  test("reserves at most a tenth of a small disk", async () => {
    const store = await open(await scratchFile());
    const blocks = { bsize: 1, blocks: 10_000_000, bavail: 1_000_000 };
    vi.spyOn(fs, "statfsSync").mockReturnValue(
      blocks as unknown as ReturnType<typeof fs.statfsSync>,
    );
    await store.run(needing(ROOM.offers_bytes), "a");
  });
});

describe("a database that was moved or damaged", () => {
  test("is noticed when its file was moved away, and no write is lost", async () => {
    const file = await scratchFile();
    const store = await open(file);
    await store.health();
    fs.renameSync(file, `${file}.away`);
    await expect(store.health()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const lost = store.run(write, [setting("a", "1")]);
    await expect(lost).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    fs.renameSync(`${file}.away`, file);
    await store.run(write, [setting("a", "1")]);
  });

  test.each(["", "-wal", "-shm"])(
    "is noticed at once when its file%s was replaced, so the next start finds all acknowledged writes",
    async (part) => {
      const file = await scratchFile();
      const store = await open(file);
      await store.run(write, [setting("a", "1")]);
      fs.copyFileSync(file + part, `${file}.copy`);
      fs.renameSync(`${file}.copy`, file + part);
      const lost = store.run(write, [setting("b", "1")]);
      await expect(lost).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    },
  );

  test("is noticed when its name is a link and the log beside the target was moved away", async () => {
    const file = await scratchFile();
    fs.symlinkSync(file, `${file}.link`);
    fs.writeFileSync(file, "");
    const store = await open(`${file}.link`);
    await store.run(write, [setting("a", "1")]);
    fs.renameSync(`${file}-wal`, `${file}.away`);
    const lost = store.run(write, [setting("b", "1")]);
    await expect(lost).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("is noticed when its file was overwritten", async () => {
    const file = await scratchFile();
    const store = await open(file);
    await store.run(write, [setting("a", "1")]);
    await store.health();
    fs.truncateSync(`${file}-wal`);
    fs.writeFileSync(file, "no database", { flag: "r+" });
    await expect(store.health()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("does not crash the check for other processes' commits", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const file = await scratchFile();
    const store = await open(file);
    for (const part of [file, `${file}-wal`, `${file}-shm`]) {
      fs.writeFileSync(part, Buffer.alloc(fs.statSync(part).size, "no database"), { flag: "r+" });
    }
    vi.advanceTimersByTime(1000);
    await expect(store.health()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});

/** Reads the settings with a plain connection, including the log. */
function settingsIn(file: string): string[] {
  const client = new BetterSqlite3(file);
  const names = client.prepare("select name from settings order by name").pluck().all();
  client.close();
  return names as string[];
}

/** A database with a write after its backup. */
async function grown() {
  const file = await scratchFile();
  const store = await open(file);
  await store.run(write, [setting("a", "1")]);
  const backup = `${file}.backup`;
  await store.backup(backup);
  await store.run(write, [setting("b", "1")]);
  return { file, store, backup };
}

const GONE = { code: "STORE_UNAVAILABLE" };

test("a backup copied over a database in use is noticed before the next write, and stays intact", async () => {
  const { file, store, backup } = await grown();
  fs.copyFileSync(backup, file);
  const lost = store.run(write, [setting("c", "1")]);
  await expect(lost).rejects.toMatchObject({
    ...GONE,
    cause: expect.objectContaining({ message: `${file} was overwritten by a backup` }),
  });
  await expect(store.health()).rejects.toMatchObject(GONE);
  await store.close();
  expect(fs.readFileSync(file).equals(fs.readFileSync(backup))).toBe(true);
});

test("an incomplete copy over it is noticed, too", async () => {
  const { file, store } = await grown();
  fs.truncateSync(file);
  await expect(store.run(write, [setting("c", "1")])).rejects.toMatchObject(GONE);
});

test("a backup beside the log of the previous database is not opened", async () => {
  const { file: before, backup } = await grown();
  const file = `${before}.restored`;
  fs.copyFileSync(backup, file);
  fs.copyFileSync(`${before}-wal`, `${file}-wal`);
  const says = `${file} is a backup, and ${file}-wal belongs to the database that was there before: move ${file}-wal and ${file}-shm away`;
  for (const _ of [1, 2]) {
    await expect(openSqlite({ file })).rejects.toMatchObject({
      ...GONE,
      cause: expect.objectContaining({ message: says }),
    });
  }
  fs.rmSync(`${file}-wal`);
  const restored = await open(file);
  await restored.run(write, [setting("d", "1")]);
  await restored.close();
  expect(settingsIn(file)).toEqual(["a", "d"]);
});

test("an opened backup is an ordinary database, and continues with its own log", async () => {
  const { backup } = await grown();
  const store = await open(backup);
  await store.run(write, [setting("c", "1")]);
  // A killed process leaves these files.
  for (const end of ["", "-wal"]) fs.copyFileSync(backup + end, `${backup}.left${end}`);
  await open(`${backup}.left`);
  expect(settingsIn(`${backup}.left`)).toEqual(["a", "c"]);
});

test("SQLite's own writes into the file don't count as a copy", async () => {
  const { file, store } = await grown();
  for (const name of ["c", "d"]) {
    const other = new BetterSqlite3(file);
    other.pragma("wal_checkpoint(TRUNCATE)");
    other.close();
    await store.run(write, [setting(name, "1")]);
  }
  await store.close();
  expect(settingsIn(file)).toEqual(["a", "b", "c", "d"]);
});

test("a backup without room is not started, and names the needed space and the next step", async () => {
  const { file, store } = await grown();
  const found = { bsize: 1, blocks: 1e12, bavail: 4096 };
  vi.spyOn(fs, "statfsSync").mockReturnValue(found as unknown as ReturnType<typeof fs.statfsSync>);
  const opened = vi.spyOn(fs, "openSync");
  const target = `${file}.second`;
  await expect(store.backup(target)).rejects.toMatchObject({
    message: expect.stringContaining(target),
    cause: expect.objectContaining({
      message: expect.stringMatching(/^it takes \d{3,} KiB, and 4 KiB are free$/),
    }),
  });
  expect(opened).not.toHaveBeenCalled();
});

test("a failed backup leaves no file that looks like one", async () => {
  const { file, store } = await grown();
  vi.spyOn(fs, "renameSync").mockImplementation(() => {
    throw new Error("ENOSPC: no space left on device");
  });
  const before = fs.readdirSync(dirname(file)).length;
  await expect(store.backup(`${file}.second`)).rejects.toMatchObject({
    message: expect.stringMatching(/^No backup was made\. Fix the problem at /),
    cause: expect.objectContaining({ message: expect.stringContaining("ENOSPC") }),
  });
  expect(fs.readdirSync(dirname(file))).toHaveLength(before);
});

test("no value of a query is a bare question mark, for which SQLite plans anew at every execution", async () => {
  const store = await open(await scratchFile());
  const prepare = vi.spyOn(BetterSqlite3.prototype, "prepare");
  await store.queries.takenOfCustomer("a@example.com", 0);
  await store.queries.ordersPage("agt_1" as AgentId, { limit: 2 });
  await store.queries.ordersPage("agt_1" as AgentId, { customer: "a@example.com", limit: 2 });
  const texts = prepare.mock.calls.map(([text]) => text);
  expect(texts).toHaveLength(3);
  for (const text of texts) expect(text.replaceAll("+?", "")).not.toContain("?");
});

test("a person's orders are found by their emails, however many orders the key has", async () => {
  const file = await scratchFile();
  const store = await open(file);
  const prepare = vi.spyOn(BetterSqlite3.prototype, "prepare");
  const page = { customer: "a@example.com", before: 1, limit: 2 };
  await store.queries.ordersPage("agt_1" as AgentId, page);
  const [[text = ""] = []] = prepare.mock.calls;
  prepare.mockRestore();
  const reader = new BetterSqlite3(file, { readonly: true });
  const plan = reader.prepare(`EXPLAIN QUERY PLAN ${text}`).all("", "", 1, 1) as Plan[];
  reader.close();
  const searches = plan.flatMap(({ detail }) => /USING .*INDEX (\w+)/.exec(detail)?.[1] ?? []);
  expect(searches).toEqual(["orders_buyer", "quotes_customer"]);
});

interface Plan {
  detail: string;
}
