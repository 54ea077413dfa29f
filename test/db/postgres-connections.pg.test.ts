/** Broken connections, and notifications between instances. */
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { startProblem } from "../../src/app/start.ts";
import { insert, type Rule, update } from "../../src/core/command.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { barePostgres, named, query } from "../support/postgres.ts";
import { cut, cutStandingStill, open, rival } from "./postgres-clients.ts";
import { addStock, held, order, results, setting, take, tell, write } from "./rules.ts";

test("broken connections are replaced, and no broken reply is wrong", async () => {
  const { url, store } = await open();
  await addStock(store, { a: 100_000 });
  let ok = 0;
  let unavailable = 0;
  for (let round = 0; round < 5; round++) {
    const runs = results(Array.from({ length: 40 }, () => store.run(take, { products: ["a"] })));
    await cut(url);
    for (const result of await runs) {
      if (result === "ok") ok++;
      else {
        expect(result).toBe("STORE_UNAVAILABLE");
        unavailable++;
      }
    }
  }
  await vi.waitFor(() => store.run(take, { products: ["a"] }), 5000);
  const taken = (await held(store)).a!;
  expect(taken).toBeGreaterThanOrEqual(ok + 1);
  expect(taken).toBeLessThanOrEqual(ok + 1 + unavailable);
});

test("a command whose connection ended before its commit is decided again, once", async () => {
  const { url, store } = await open();
  await addStock(store, { a: 10 });
  let ends = 0;
  /** Blocks this process until the server has ended its connections, this many times. */
  const ended = (times: number): Rule<{ products: string[] }, unknown> => ({
    ...take,
    decide(command, state) {
      if (ends++ < times) cutStandingStill(url);
      return take.decide(command, state);
    },
  });
  await store.run(ended(1), { products: ["a"] });
  expect(ends).toBe(2);
  expect(await held(store)).toEqual({ a: 1 });
  ends = 0;
  await expect(store.run(ended(2), { products: ["a"] })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
  });
  expect(await held(store)).toEqual({ a: 1 });
});

test("a read whose connection was ended is read again, once", async () => {
  const { url, store } = await open({ pool: 1, concurrency: 1 });
  await store.run(write, [setting("x", "1")]);
  const reading = store.queries.setting("x");
  cutStandingStill(url);
  expect(await reading).toBe("1");
});

test("commands commit while slow reads use all connections for reading", async () => {
  const { url, store } = await open({ pool: 3, concurrency: 1 });
  await addStock(store, { a: 10 });
  const blocker = await rival(url, "lock table settings in access exclusive mode");
  let answered = 0;
  const reading = Array.from({ length: 5 }, () =>
    store.queries.setting("x").finally(() => answered++),
  );
  await store.run(take, { products: ["a"] });
  expect(answered).toBe(0);
  await blocker.query("rollback");
  await Promise.all(reading);
});

test("a command that found no connection is sent again, once", async () => {
  const { store } = await open({ pool: 1, concurrency: 1 });
  await addStock(store, { a: 10 });
  const connect = vi.spyOn(pg.Pool.prototype, "connect");
  connect.mockImplementationOnce(() => Promise.reject(new Error("connect ECONNREFUSED")));
  await store.run(take, { products: ["a"] });
  connect.mockImplementation(() => Promise.reject(new Error("connect ECONNREFUSED")));
  await expect(store.run(take, { products: ["a"] })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
  });
  connect.mockRestore();
  expect(await held(store)).toEqual({ a: 1 });
});

test("a transaction that can't begin releases its connection", async () => {
  const { url, store } = await open({ pool: 1, concurrency: 1 });
  for (let i = 0; i < 5; i++) {
    const runs = results([store.run(write, [setting(`${i}`, "1")]), store.health()]);
    await cut(url);
    await runs;
  }
  await vi.waitFor(() => store.run(write, [setting("after", "1")]), 5000);
  await store.health();
});

test("without a server, commands, reads and health fail at once", async () => {
  const { url, store } = await open();
  await query(
    url.replace(/\/[^/]*$/, "/postgres"),
    `alter database ${nameOf(url)} allow_connections false`,
  );
  await cutFrom(url);
  const runs = [store.run(write, [setting("x", "1")]), store.queries.setting("x"), store.health()];
  expect(await results(runs)).toEqual(Array(3).fill("STORE_UNAVAILABLE"));
  await expect(openPostgres({ url })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  await query(
    url.replace(/\/[^/]*$/, "/postgres"),
    `alter database ${nameOf(url)} allow_connections true`,
  );
  await store.health();
  await store.run(write, [setting("x", "2")]);
  expect(await store.queries.setting("x")).toBe("2");
});

test("a database user without the right to create tables is named at the start", async () => {
  const url = await barePostgres();
  const database = nameOf(url);
  const visitor = `${database}_visitor`;
  await query(url, `create role ${visitor} login password 'x'`);
  onTestFinished(async () => void (await query(url, `drop role ${visitor}`)));
  const cause = { message: `permission denied for database ${database}` };
  const starting = openPostgres({
    url: `postgres://${visitor}:x@${new URL(url).host}/${database}`,
  });
  await expect(starting).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", cause });
});

test("listening reconnects, and readers look for missed events", async () => {
  const { url, store } = await open({ catchUpMs: 100 });
  const { store: other } = await open({ url });
  await store.run(write, [insert("orders", order("o1"))]);
  const heard: string[] = [];
  store.onNews((id) => heard.push(id));
  await cut(url);
  await vi.waitFor(() => other.run(tell, { order: "o1", id: "e1" }), 5000);
  await vi.waitFor(() => expect(heard).toContain(""), 5000);
  await vi.waitFor(async () => {
    await other.run(tell, { order: "o1", id: `e${Math.random()}` });
    expect(heard).toContain("o1");
  }, 5000);
});

test("a rolled-back order is not announced", async () => {
  const { store } = await open();
  await store.run(write, [insert("orders", order("o1"))]);
  const heard: string[] = [];
  store.onNews((id) => heard.push(id));
  const twice: Rule<null, null> = {
    reads: () => [],
    decide: () => {
      const { writes } = tell.decide({ order: "o1", id: "e" }, { orders: [order("o1")] } as never);
      return {
        reply: null,
        writes: [...writes, update("stock", { product_id: "none" }, { held: 1 })],
      };
    },
  };
  await expect(store.run(twice, null)).rejects.toThrow();
  await store.run(tell, { order: "o1", id: "e1" });
  await vi.waitFor(() => expect(heard).toEqual(["o1"]), 5000);
});

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const cutFrom = (url: string) =>
  query(
    url.replace(/\/[^/]*$/, "/postgres"),
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [nameOf(url)],
  );

test("a database that takes no writes any more is not healthy, until it does", async () => {
  const { url, store } = await open();
  await store.health();
  const name = new URL(url).pathname.slice(1);
  await query(
    named(url, "postgres"),
    `alter database ${name} set default_transaction_read_only = on`,
  );
  // As after a failover, every connection is new.
  await cut(url);
  await vi.waitFor(
    () =>
      expect(store.health()).rejects.toMatchObject({
        cause: { message: "this server is read-only" },
      }),
    5000,
  );
  expect(await results([store.run(write, [setting("x", "1")])])).toEqual(["STORE_UNAVAILABLE"]);
  await query(named(url, "postgres"), `alter database ${name} reset default_transaction_read_only`);
  await cut(url);
  await vi.waitFor(() => store.health(), 5000);
});

test.each(["LATIN1", "SQL_ASCII"])(
  "a database in %s is refused with the reason",
  async (encoding) => {
    const url = await barePostgres(
      `encoding '${encoding}' locale 'C' locale_provider 'libc' template template0`,
    );
    const error = await openPostgres({ url }).catch((cause: unknown) => cause);
    const said = startProblem(error);
    expect(said).toMatch(
      /^The database cannot be opened: its encoding is \w+, .*UTF8.*Check DATABASE_URL\.$/,
    );
    expect(said).toContain(encoding);
  },
);
