/** Backups by the command line while the service runs. */

import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/app/compose.ts";
import { countRows } from "../support/all-rows.ts";
import { cli } from "../support/command.ts";
import { newAgent, openShop, paidOrder } from "../support/shop.ts";
import { engine, scratchFile, usualStore } from "../support/stores.ts";

test.runIf(engine() === "sqlite")("a backup of SQLite never overwrites a file", async () => {
  const file = await scratchFile();
  const store = await openStore(`sqlite:${file}`);
  onTestFinished(() => store.close());
  const shop = await openShop(store);
  await paidOrder(shop, { agentId: await newAgent(shop) });
  const backup = `${file}.copy`;
  await cli(`sqlite:${file}`, "backup", backup);
  const copy = await openStore(`sqlite:${backup}`);
  expect(await countRows(copy, "orders")).toBe(1);
  await copy.close();
  await expect(cli(`sqlite:${file}`, "backup", backup)).rejects.toMatchObject({ code: 1 });
});

test.runIf(engine() === "postgres")("the command points to pg_dump for PostgreSQL", async () => {
  const { url, store } = await usualStore();
  onTestFinished(() => store.close());
  const refusal = cli(url, "backup", "/nowhere/copy");
  await expect(refusal).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("pg_dump"),
  });
});
