import type { Read, Rule } from "../../src/core/command.ts";
import type { TableName, Tables } from "../../src/core/records.ts";
import type { Store } from "../../src/db/store.ts";

/** Reads every row of a table. */
export async function allRows<N extends TableName>(store: Store, table: N): Promise<Tables[N][]> {
  const reading: Rule<null, Tables[N][]> = {
    reads: () => [{ table, match: {}, lock: false } as Read],
    decide: (_, state) => ({ reply: [...state[table]] as Tables[N][], writes: [] }),
  };
  return store.run(reading, null);
}

export const countRows = async (store: Store, table: TableName): Promise<number> =>
  (await allRows(store, table)).length;
