/** The disk fills or loses power. */
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { cli } from "../../support/command.ts";
import { quoteRequest } from "../../support/shopper.ts";
import { atMost, inTurn, must, type Play, statuses } from "../play.ts";
import { stranger } from "../stage.ts";

/** 250 bags with a note each, to 50 addresses: the most that a quote may have. */
export function largestQuote(i: number) {
  const quote = quoteRequest({ email: `disk${i}@example.com`, quantity: 5 });
  const gift_notes = Array(5).fill("For you. ".repeat(22).trim());
  return { ...quote, shipments: Array(50).fill({ ...quote.shipments[0], gift_notes }) };
}

function quotesIn(file: string): number {
  const copy = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  const quotes = copy.prepare("select count(*) from quotes").pluck().get() as number;
  copy.close();
  return quotes;
}

const QUOTES = 12;

const plug: Play = {
  name: "H15 plug",
  tried: "killed among answers, started again, a retry answered; then the power goes",
  goesAway: true,
  env: {},
  async play(stage) {
    const address = stranger();
    const key = await stage.key(address);
    const request = (i: number) =>
      stage.ask(address, "/v1/quote-requests", {
        key,
        body: quoteRequest({ email: `plug-${i}@example.com` }),
        idempotencyKey: `plug-${i}`,
      });
    const answered = await inTurn(QUOTES, request);
    const folder = await mkdtemp(join(tmpdir(), "coffee-merchant-plug-"));
    try {
      await stage.restart();
      const retry = await request(QUOTES - 1);
      // At worst, a power cut leaves the file without its unsynced log.
      const alone = join(folder, "alone.db");
      await copyFile(stage.databaseFile, alone);
      const backup = join(folder, "backup.db");
      await cli(`sqlite:${stage.databaseFile}`, "backup", backup);
      const files = (await readdir(folder)).filter((name) => name.startsWith("backup.db"));
      const isReplayed = retry.headers.get("idempotent-replayed") === "true";
      return {
        answered: `${statuses(answered)}, retry ${retry.status}`,
        held: `${quotesIn(alone)} quotes without the log, ${quotesIn(backup)} in the backup`,
        bounds: [
          must(
            "the retry is the same answer",
            isReplayed && retry.body.id === answered.at(-1)?.body.id,
          ),
          atMost("answered and lost", QUOTES - quotesIn(alone), 0),
          atMost("missing in the backup", QUOTES - quotesIn(backup), 0),
          atMost("journals beside the backup", files.length - 1, 0),
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

export const disks = [plug];
