/**
 * A process that takes bags of bean "a", a few at once, until none is left or it is killed. Each
 * time it writes a setting in the same command, and prints its name once that has been answered.
 * Says "open", and begins when it is told to.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { insert, lock, type Rule, update } from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";

const takeOne: Rule<string, boolean> = {
  reads: () => [lock("stock", { product_id: "a" })],
  decide(name, { stock }) {
    const { on_hand, held } = stock[0]!;
    if (held >= on_hand) return { reply: false, writes: [] };
    return {
      reply: true,
      writes: [
        update("stock", { product_id: "a" }, { held: held + 1 }, { held }),
        insert("settings", { name, value: "taken" }),
      ],
    };
  },
};

const [, , target = "", prefix = "", concurrency = "16"] = process.argv;
// Loads only the engine in use.
const store = target.startsWith("postgres:")
  ? await (await import("../../src/db/postgres/postgres-store.ts")).openPostgres({ url: target })
  : await (await import("../../src/db/sqlite/sqlite-store.ts")).openSqlite({ file: target });
writeSync(1, "open\n");
await once(process.stdin, "data");
process.stdin.destroy();

async function writeOn(number: number): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `${prefix}-${number}-${i}`;
    try {
      if (!(await store.run(takeOne, name))) return;
      writeSync(1, `${name}\n`);
    } catch (error) {
      // Not acknowledged: it may be stored or lost.
      if (!(error instanceof MerchantError && error.code === "STORE_UNAVAILABLE")) throw error;
    }
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, (_, number) => writeOn(number)));
await store.close();
