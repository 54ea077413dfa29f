/** A short run of `npm run chaos`, which kills and misleads the whole service and then checks every promise. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { planRun } from "../chaos/plan.ts";
import { runChaos } from "../chaos/run.ts";
import { freshPostgres } from "../support/postgres.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

const SEED = 20_260_302;

it.each([
  ["SQLite", async (folder: string) => `sqlite:${join(folder, "chaos.db")}`],
  ["PostgreSQL", () => freshPostgres()],
] as const)(
  "a shop in trouble keeps every promise about money, on %s",
  async (_, database) => {
    const folder = await scratchFolder("chaos");
    const result = await runChaos({
      seed: SEED,
      purchases: 10,
      databaseUrl: await database(folder),
      folder,
      withinMs: 50_000,
    });
    expect(result.problems, `npm run chaos -- --seed ${SEED} --purchases 10`).toEqual([]);
    const figures = Object.fromEntries(result.figures);
    expect(figures).toMatchObject({ seed: SEED, "purchases tried": 10, "kill -9": 1 });
    expect(figures["orders = payments kept = quotes paid"]).toMatch(/^([1-9]\d*) = \1 = \1$/);
  },
  60_000,
);

it("the same seed is the same plan, another one is another", () => {
  expect(planRun(7, 50)).toEqual(planRun(7, 50));
  expect(planRun(7, 50)).not.toEqual(planRun(8, 50));
  // A longer run starts with the same purchases.
  expect(planRun(7, 80).purchases[0]?.buyer).toBe(planRun(7, 50).purchases[0]?.buyer);
});
