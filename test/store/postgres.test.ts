/** What only a server with many clients can do to a command: locks, deadlocks, lost connections. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { insert, type Rule, read, update } from "../../src/domain/command.ts";
import { openPostgres, type PostgresOptions } from "../../src/store/postgres/postgres-store.ts";
import { barePostgres, freshPostgres, query } from "../support/postgres.ts";
import {
  countOnce,
  held,
  NOW,
  order,
  results,
  setting,
  shelve,
  take,
  tell,
  write,
} from "./rules.ts";

async function open(options: Partial<PostgresOptions> = {}) {
  const url = options.url ?? (await freshPostgres());
  const store = await openPostgres({ ...options, url });
  onTestFinished(() => store.close());
  return { url, store };
}

/** Somebody else's transaction, holding what it has locked until it is ended. */
async function rival(url: string, ...statements: string[]) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  for (const statement of statements) await client.query(statement);
  return client;
}

/** Ends every connection of the service, as a failing network or server does. */
const cut = (url: string) =>
  query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'coffee-merchant'`,
  );

test("twenty-four instances that start at once on an empty database migrate it once", async () => {
  const url = await barePostgres();
  const stores = await Promise.all(Array.from({ length: 24 }, () => openPostgres({ url })));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  await Promise.all(stores.map((store, i) => store.run(write, [setting(`${i}`, "1")])));
  expect(await stores[0]!.queries.countRows("settings")).toBe(24);
  const [done] = await query(url, "select count(*)::int as n from drizzle.__drizzle_migrations");
  expect(done?.n).toBe(2);
});

test("a row locked elsewhere delays only until the limit, and only those who need it", async () => {
  const { url, store } = await open({ lockTimeoutMs: 200 });
  await shelve(store, { locked: 5, free: 5 });
  const other = await rival(url, "select * from stock where product_id = 'locked' for update");
  const runs = ["locked", "free", "locked", "free"].map((bean) =>
    store.run(take, { products: [bean] }),
  );
  expect(await results(runs)).toEqual(["STORE_UNAVAILABLE", "ok", "STORE_UNAVAILABLE", "ok"]);
  await other.query("rollback");
  await store.run(take, { products: ["locked"] });
  expect(await held(store)).toEqual({ locked: 1, free: 2 });
});

test("a request whose twin is under way elsewhere is told so, and may come again", async () => {
  const { url, store } = await open({ lockTimeoutMs: 200 });
  const intent = { scope: "s", keyHash: "k", requestHash: "r" };
  const command = { now: NOW, intent, name: "counter" };
  const twin = await rival(
    url,
    "insert into idempotency values ('s', 'k', 'r', '7', 9e15::bigint)",
  );
  expect(await results([store.run(countOnce, command)])).toEqual(["IDEMPOTENCY_IN_FLIGHT"]);
  await twin.query("commit");
  expect(await store.run(countOnce, command)).toEqual({ body: 7, replayed: true });
});

test("an instance that stands still in a transaction loses its locks after seconds", async () => {
  const { url, store } = await open({ lockTimeoutMs: 10_000 });
  await shelve(store, { a: 5 });
  const frozen = spawn(process.execPath, [script("frozen-instance.ts"), url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void frozen.kill("SIGKILL"));
  await once(frozen.stdout, "data");
  await store.run(take, { products: ["a"] });
  expect(await held(store)).toEqual({ a: 1 });
});

test("a deadlock is decided again, and both sides get what they wanted", async () => {
  const { url, store } = await open({ lockTimeoutMs: 5000 });
  await shelve(store, { a: 5, b: 5 });
  await store.run(write, [setting("x", "0")]);
  // The other side goes against the order: first stock, then settings.
  const other = await rival(url, "update stock set held = held + 1 where product_id = 'a'");
  const both: Rule<null, null> = {
    reads: () => [read("settings", { name: "x" }), read("stock", { product_id: "a" })],
    decide: (_, { stock }) => ({
      reply: null,
      writes: [update("stock", { product_id: "a" }, { held: stock[0]!.held + 1 })],
    }),
  };
  const run = store.run(both, null);
  await vi.waitFor(async () => {
    const [waiting] = await query(url, "select count(*)::int as n from pg_locks where not granted");
    expect(waiting?.n).toBe(1);
  });
  const against = other
    .query("update settings set value = '1' where name = 'x'")
    .then(() => other.query("commit"))
    .catch(() => other.query("rollback"));
  await run;
  const end = await against;
  expect(await held(store)).toEqual({ a: end.command === "COMMIT" ? 2 : 1, b: 0 });
});

test("broken connections are replaced, and a broken answer is never a wrong one", async () => {
  const { url, store } = await open();
  await shelve(store, { a: 100_000 });
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

test("a transaction that cannot begin gives its connection back", async () => {
  const { url, store } = await open({ pool: 1, lanes: 1 });
  for (let i = 0; i < 5; i++) {
    const runs = results([store.run(write, [setting(`${i}`, "1")]), store.health()]);
    await cut(url);
    await runs;
  }
  await vi.waitFor(() => store.run(write, [setting("after", "1")]), 5000);
  await store.health();
});

test("without a server it says so at once, in commands, reads and health", async () => {
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

test("listening comes back by itself, and what was missed is looked for", async () => {
  const { url, store } = await open({ catchUpMs: 100 });
  const { store: other } = await open({ url });
  await store.run(write, [insert("orders", order("o1"))]);
  const heard: string[] = [];
  store.onOrderEvent((id) => heard.push(id));
  await cut(url);
  await vi.waitFor(() => other.run(tell, { order: "o1", id: "e1" }), 5000);
  await vi.waitFor(() => expect(heard).toContain(""), 5000);
  await vi.waitFor(async () => {
    await other.run(tell, { order: "o1", id: `e${Math.random()}` });
    expect(heard).toContain("o1");
  }, 5000);
});

test("an order whose writes are rolled back is told to nobody", async () => {
  const { store } = await open();
  await store.run(write, [insert("orders", order("o1"))]);
  const heard: string[] = [];
  store.onOrderEvent((id) => heard.push(id));
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

test("a backup points to pg_dump", async () => {
  const { store } = await open();
  await expect(store.backup("/nowhere")).rejects.toThrow(/pg_dump/);
});

const script = (name: string): string =>
  fileURLToPath(new URL(`../support/${name}`, import.meta.url));

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const cutFrom = (url: string) =>
  query(
    url.replace(/\/[^/]*$/, "/postgres"),
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
    [nameOf(url)],
  );
