/** Entries of 0.3.0: a customer may have confirmed several for one bean, which this version allows once. */
import { expect, it, onTestFinished } from "vitest";
import { type Rule, readUnlocked, type State } from "../../src/core/command.ts";
import { releasedDatabase } from "../support/released.ts";
import { engine } from "../support/stores.ts";

const read: Rule<null, State> = {
  reads: () => [readUnlocked("waitlist", { status: ["WAITING", "OFFERED", "LEFT"] })],
  decide: (_, state) => ({ reply: state, writes: [] }),
};

const entry = (id: string, status: string, created_at: number, confirmed_at: number | null) =>
  `INSERT INTO waitlist (id, product_id, quantity, buyer_email, customer, status, created_at, confirmed_at)
   VALUES ('${id}', 'kenya-nyeri', 1, 'a@example.com', 'a@example.com', '${status}', ${created_at}, ${confirmed_at})`;

it("of several confirmed entries the offered one stays confirmed, else the earliest", async () => {
  const database = await releasedDatabase(engine(), "0.3.0");
  await database.execute(entry("wtl_first", "WAITING", 1, 9));
  await database.execute(entry("wtl_offered", "OFFERED", 2, 9));
  await database.execute(entry("wtl_open", "WAITING", 3, null));
  await database.execute(entry("wtl_left", "LEFT", 4, 9));
  const other = (id: string, at: number) =>
    entry(id, "WAITING", at, 9).replace("kenya-nyeri", "peru-cajamarca");
  await database.execute(other("wtl_later", 6));
  await database.execute(other("wtl_earlier", 5));
  const store = await database.open();
  onTestFinished(() => store.close());
  const { waitlist } = await store.run(read, null);
  expect(Object.fromEntries(waitlist.map(({ id, confirmed_at }) => [id, confirmed_at]))).toEqual({
    wtl_first: null,
    wtl_offered: 9,
    wtl_open: null,
    wtl_left: 9,
    wtl_earlier: 9,
    wtl_later: null,
  });
});
