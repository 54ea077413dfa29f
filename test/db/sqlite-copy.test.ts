/**
 * A backup that is put where a database was. SQLite keeps no note of which log belongs to which file: beside
 * another one's log it reads a mixture of both, and writes it down.
 */
import fs from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { scratchFile } from "../support/stores.ts";
import { setting, write } from "./rules.ts";

afterEach(() => void vi.restoreAllMocks());

async function open(file: string) {
  const store = await openSqlite({ file });
  onTestFinished(() => store.close());
  return store;
}

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
