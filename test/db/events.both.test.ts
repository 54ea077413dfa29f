import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { insert } from "../../src/core/command.ts";
import { describeEveryStore } from "../support/stores.ts";
import { order, tell, write } from "./rules.ts";

/** Collects uncaught errors until the test ends. Otherwise the test runner would report them. */
function uncaughtErrors() {
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  const uncaught = vi.fn();
  process.on("uncaughtException", uncaught);
  onTestFinished(() => {
    process.off("uncaughtException", uncaught);
    for (const other of others) process.on("uncaughtException", other);
  });
  return uncaught;
}

describeEveryStore("new events of an order", (open) => {
  test("reach every listener, in this instance and the other one", async () => {
    const { store, other } = await open();
    await store.run(write, [insert("orders", order("o1"))]);
    const here = vi.fn<(orderId: string) => void>();
    const there = vi.fn<(orderId: string) => void>();
    store.onNews(here);
    other.onNews(there);
    await store.run(tell, { order: "o1", id: "e1" });
    // "" stands for any order: SQLite only sees that another process has committed.
    const told = (listener: typeof here) =>
      listener.mock.calls.some(([id]) => id === "o1" || id === "");
    await vi.waitFor(() => expect([told(here), told(there)]).toEqual([true, true]), 5000);
  });

  test("no longer reach a listener that has unsubscribed", async () => {
    const { store } = await open();
    await store.run(write, [insert("orders", order("o1"))]);
    const stopped = vi.fn();
    const listening = vi.fn();
    store.onNews(stopped)();
    store.onNews(listening);
    await store.run(tell, { order: "o1", id: "e1" });
    await vi.waitFor(() => expect(listening).toHaveBeenCalled(), 5000);
    expect(stopped).not.toHaveBeenCalled();
  });

  test("reach the others despite a failing listener, and the committed command replies and runs once", async () => {
    const { store } = await open();
    const uncaught = uncaughtErrors();
    await store.run(write, [insert("orders", order("o1"))]);
    const listening = vi.fn();
    store.onNews(() => {
      throw new Error("a listener failed");
    });
    store.onNews(listening);
    const ids = ["e1", "e2", "e3"];
    await Promise.all(ids.map((id) => store.run(tell, { order: "o1", id })));
    await vi.waitFor(() => expect(listening).toHaveBeenCalled(), 5000);
    await store.run(tell, { order: "o1", id: "e4" });
    expect((await store.queries.order("o1"))?.last_sequence).toBe(4);
    await vi.waitFor(() => expect(uncaught).toHaveBeenCalled(), 5000);
  });

  test("are numbered without gaps by all instances, and readable once announced", async () => {
    const { store, other } = await open();
    await store.run(write, [insert("orders", order("o1")), insert("orders", order("o2"))]);
    const runs = Array.from({ length: 60 }, (_, i) =>
      (i % 3 ? store : other).run(tell, { order: `o${(i % 2) + 1}`, id: `e${i}` }),
    );
    await Promise.all(runs);
    for (const id of ["o1", "o2"]) {
      const log = await other.queries.events(id, 0, 100);
      expect(log.map((row) => row.sequence)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
      expect((await other.queries.order(id))?.last_sequence).toBe(30);
    }
  });

  test("a reader that follows them misses none while two instances write", async () => {
    const { store, other } = await open();
    await store.run(write, [insert("orders", order("o1"))]);
    const read: number[] = [];
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? store : other).run(tell, { order: "o1", id: `e${i}` }),
      ),
    );
    while (read.length < 40) {
      for (const row of await other.queries.events("o1", read.at(-1) ?? 0, 7)) {
        read.push(row.sequence);
      }
      await setImmediate();
    }
    await writing;
    expect(read).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  });
});
