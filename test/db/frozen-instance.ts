/** An instance that hangs forever in a transaction with locked rows. */
import { writeSync } from "node:fs";
import { lock, type Rule } from "../../src/core/command.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";

const still: Rule<null, null> = {
  reads: () => [lock("stock", {})],
  decide() {
    writeSync(1, "holding\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return { reply: null, writes: [] };
  },
};

const store = await openPostgres({ url: process.argv[2]! });
await store.run(still, null);
