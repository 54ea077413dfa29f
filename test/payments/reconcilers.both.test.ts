/** Several processes can check everything open at the same time. */

import { expect, it } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { describeEveryStore } from "../support/stores.ts";
import { paidPage, questions } from "./steps.ts";
import { MINUTE, openWorld } from "./world.ts";

describeEveryStore("several processes at once", (open) => {
  it("check each page once and make one order of it", async () => {
    const { store, other } = await open();
    const world = await openWorld(store);
    const pages = [];
    for (let i = 0; i < 10; i++) pages.push(await paidPage(world, await world.quote()));
    const { asked, provider } = questions(world);
    const processes = [store, other, store, other].map((one) =>
      world.process({ store: one, provider }),
    );
    world.clock.advance(MINUTE);
    await Promise.all(processes.map(({ reconciler }) => reconciler.run()));
    expect([...asked.values()]).toEqual(pages.map(() => 1));
    expect(await countRows(store, "orders")).toBe(10);
    expect(await world.problems()).toEqual([]);
  });
});
