/** The disk is full, or the power goes: what was answered stays, and what is paid becomes an order. */
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { cli } from "../../support/command.ts";
import { form } from "../../support/purchase.ts";
import { eventually, quoteRequest } from "../../support/shopper.ts";
import { atMost, must, type Play, statuses } from "../play.ts";
import { type Stage, stranger } from "../stage.ts";
import { paidAt, ready } from "./buying.ts";

const MIB = 1024 * 1024;
const FREE_BYTES_FILE = join(tmpdir(), `coffee-merchant-free-${process.pid}`);
const PRELOAD = pathToFileURL(join(import.meta.dirname, "../small-disk.ts")).href;

/** The service believes for a second what it has seen of its disk. */
async function freeOnDisk(stage: Stage, bytes: number, status: number): Promise<void> {
  await writeFile(FREE_BYTES_FILE, String(bytes));
  await eventually(async () => (await stage.ask(stranger(), "/readyz")).status === status);
}

export const fullDisk: Play = {
  name: "H5 full disk",
  tried: "the disk runs full while somebody pays, and is given room again",
  env: {
    FREE_BYTES_FILE,
    NODE_OPTIONS: `--import=${PRELOAD}`,
  },
  async play(stage) {
    const begun = await ready(stage, { email: "begun@example.com" });
    const pressed = await stage.ask(begun.address, begun.reviewUrl, form({}));
    const other = await ready(stage, { email: "other@example.com" });
    const quote = (email: string) =>
      stage.ask(other.address, "/v1/quote-requests", {
        key: other.key,
        body: quoteRequest({ email }),
      });
    try {
      await freeOnDisk(stage, 16 * MIB, 503);
      const refused = [
        await quote("late@example.com"),
        await stage.ask(other.address, other.reviewUrl, form({})),
      ];
      const read = await stage.ask(stranger(), "/v1/catalog");
      const order = await paidAt(stage, begun, pressed);
      await freeOnDisk(stage, 1024 * MIB, 200);
      const healed = await quote("later@example.com");
      return {
        answered: `new ${statuses(refused)}, read ${read.status}, healed ${healed.status}`,
        bounds: [
          must(
            "new requests are refused",
            refused.every(({ status }) => status === 503),
          ),
          must("everything can be read", read.status === 200),
          must("what is paid becomes an order", order.status === "CONFIRMED"),
          must("it heals by itself", healed.status === 201),
        ],
      };
    } finally {
      await rm(FREE_BYTES_FILE, { force: true });
    }
  },
};

/** Quotes in a database file without its log, which a power cut may take away. */
function quotesIn(file: string): number {
  const copy = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    return copy.prepare("select count(*) from quotes").pluck().get() as number;
  } finally {
    copy.close();
  }
}

const QUOTES = 12;

export const plug: Play = {
  name: "H15 plug",
  tried: "killed among answers, started again, a retry answered; then the power goes",
  goesAway: true,
  env: {},
  async play(stage) {
    const address = stranger();
    const key = await stage.key(address);
    const asked = (i: number) =>
      stage.ask(address, "/v1/quote-requests", {
        key,
        body: quoteRequest({ email: `plug-${i}@example.com` }),
        idempotencyKey: `plug-${i}`,
      });
    const answered = [];
    for (let i = 0; i < QUOTES; i++) answered.push(await asked(i));
    const folder = await mkdtemp(join(tmpdir(), "coffee-merchant-plug-"));
    try {
      await stage.restart();
      const retry = await asked(QUOTES - 1);
      // What a disk has at the least after a power cut: the file, and nothing of an unsynced log.
      const alone = join(folder, "alone.db");
      await copyFile(stage.databaseFile, alone);
      const backup = join(folder, "backup.db");
      await cli(`sqlite:${stage.databaseFile}`, "backup", backup);
      const beside = (await readdir(folder)).filter((name) => name.startsWith("backup.db"));
      const replayed = retry.headers.get("idempotent-replayed") === "true";
      const sameQuote = retry.body.id === answered.at(-1)!.body.id;
      return {
        answered: `${statuses(answered)}, retry ${retry.status}`,
        held: `${quotesIn(alone)} quotes without the log, ${quotesIn(backup)} in the backup`,
        bounds: [
          must("the retry is the same answer", replayed && sameQuote),
          atMost("answered and lost", QUOTES - quotesIn(alone), 0),
          atMost("missing in the backup", QUOTES - quotesIn(backup), 0),
          atMost("journals beside the backup", beside.length - 1, 0),
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
