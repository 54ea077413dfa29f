/** Databases of other versions: 0.3.0's opens, an older or unreadable one is refused in one line. */
import { describe, expect, onTestFinished, test } from "vitest";
import { startProblem } from "../../src/app/start.ts";
import { update } from "../../src/core/command.ts";
import { allRows } from "../support/all-rows.ts";
import { type ReleasedDatabase, releasedDatabase } from "../support/released.ts";
import { write } from "./rules.ts";

const TERMS = '{"buyer":{"email":"a@example.com"},"shipments":[]}';

const ROWS = `
  insert into stock (product_id, on_hand, held) values ('kenya', 7, 2);
  insert into quotes (id, quote_hash, terms, review_token_hash, buyer_email, customer, total_minor,
    created_at, expires_at)
  values ('qte_1', 'sha256:1', '${TERMS}', '', 'a@example.com', 'a@example.com', 2200, 1,
    9999999999999);
  insert into quote_states (quote_id, status, updated_at) values ('qte_1', 'CHECKOUT_READY', 1);
  insert into attempts (id, quote_id, status, session_id, created_at, expires_at, hold_until, holds,
    check_at)
  values ('pay_1', 'qte_1', 'OPEN', 'cs_1', 1, 2, 3, '[]', 4);
  insert into shipments (id, order_id, position, status) values
    ('shp_2', 'ord_1', 1, 'PENDING'), ('shp_1', 'ord_1', 0, 'PENDING'), ('shp_0', 'ord_0', 0, 'PENDING');
  insert into cancel_requests (id, order_id, reason_code, status, created_at)
  values ('cr_1', 'ord_1', 'OTHER', 'REQUESTED', 1);`;

/** Time of the last migration of 0.3.0, as its databases record it. */
const ENGINES = [
  ["sqlite", 1795885589358],
  ["postgres", 1795885589960],
] as const;

describe.each(ENGINES)("on %s", (engine, released) => {
  const release = () => releasedDatabase(engine, "0.3.0");

  /** Replaces the record of the first migration by those of all migrations of a version. */
  const recordNewest = ({ journal, execute }: ReleasedDatabase, newest: number) =>
    execute(`delete from ${journal};
      insert into ${journal} (hash, created_at) values ('first', 1), ('newest', ${newest})`);

  const problemOf = async ({ open }: ReleasedDatabase) =>
    startProblem(await open().catch((cause: unknown) => cause));

  test("a database of 0.3.0 opens with its rows, and quotes stay immutable", async () => {
    const database = await release();
    await database.execute(ROWS);
    await recordNewest(database, released);
    const store = await database.open();
    onTestFinished(() => store.close());
    expect(store.migratedByNewerVersion).toBe(false);
    const { queries } = store;
    expect(await queries.stock()).toMatchObject([{ product_id: "kenya", on_hand: 7, held: 2 }]);
    expect(await queries.attempt("pay_1")).toMatchObject({ session_id: "cs_1", check_at: 4 });
    expect(await allRows(store, "cancel_requests")).toMatchObject([
      { asked_by: "AGENT", shipment_ids: expect.stringMatching(/^\["shp_1", ?"shp_2"\]$/) },
    ]);
    const changed = update("quotes", { id: "qte_1" }, { total_minor: 1 });
    await expect(store.run(write, [changed])).rejects.toThrow(/never changes/);
  });

  test("an older one is refused in one line and not changed", async () => {
    const database = await release();
    await recordNewest(database, released - 1);
    for (let starts = 0; starts < 2; starts++) {
      expect(await problemOf(database)).toBe(
        "The database cannot be opened: it is older than version 0.3.0; run 0.3.0 on it for a day, " +
          "then this version. Check DATABASE_URL.",
      );
    }
  });

  test("one that a newer version made unreadable is refused in one line", async () => {
    const database = await release();
    const store = await database.open();
    await store.close();
    await recordNewest(database, 9_999_999_999_999);
    await database.execute("alter table settings rename column value to text");
    expect(await problemOf(database)).toMatch(
      /^The database cannot be opened: a newer version has migrated it, and this version can't read it: .*\.$/,
    );
  });
});
