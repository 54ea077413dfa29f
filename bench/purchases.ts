import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { progressOn } from "../src/cli/progress.ts";
import { createPostgres } from "../test/support/postgres-server.ts";
import { catalogWith } from "../test/support/purchase.ts";
import type { Bought, Buy } from "./buyers.ts";
import { cpuMs, type OpenServer, open, requireDurableCommits } from "./http.ts";
import { type Bench, inRounds, median, type Row } from "./measure.ts";
import type { Audit } from "./server.ts";

const BEAN = "kenya-nyeri";
const PLENTY = 1_000_000;
/** Buyers at once. A purchase is several requests, so fewer do than for single calls. */
const BUYERS = 32;

interface Shop {
  label: string;
  instances: OpenServer[];
  /** Opening stock of every bean. */
  stock: Record<string, number>;
}

/** A shop on SQLite, and shops on PostgreSQL with one and two instances, each with this stock. */
async function openShops(bench: Bench, name: string, bags: number): Promise<Shop[]> {
  const catalogFile = await catalogWith(bench.folder, { [BEAN]: bags });
  const { products } = JSON.parse(await readFile(catalogFile, "utf8"));
  const stock = Object.fromEntries(
    products.map((one: { product_id: string; opening_stock: number }) => [
      one.product_id,
      one.opening_stock,
    ]),
  );
  const serve = (databaseUrl: string) => open(bench, { do: "serve", databaseUrl, catalogFile });
  const sqlite = await serve(`sqlite:${join(bench.folder, `${name}.db`)}`);
  const shops: Shop[] = [{ label: `${name}, SQLite`, instances: [sqlite], stock }];
  for (const size of [1, 2]) {
    const database = await createPostgres();
    bench.atEnd(database.remove);
    await requireDurableCommits(database.url);
    const instances: OpenServer[] = [];
    for (let i = 0; i < size; i++) instances.push(await serve(database.url));
    const label = `${name}, PostgreSQL, ${size} instance${size > 1 ? "s" : ""}`;
    shops.push({ label, instances, stock });
  }
  return shops;
}

function buying({ instances }: Shop, wanted: Pick<Buy, "together" | "buyers" | "seconds">): Buy {
  return {
    urls: instances.map(({ url }) => url),
    key: instances[0]!.headers.authorization!.replace("Bearer ", ""),
    productId: BEAN,
    run: randomBytes(4).toString("hex"),
    connections: BUYERS,
    ...wanted,
  };
}

/** Whole purchases: quote, checkout, press, pay, order. */
export async function purchase(bench: Bench): Promise<Row[]> {
  const buyers = bench.start("./buyers.ts");
  const all = await openShops(bench, "purchase", PLENTY);
  const base = all[0]!.label;
  const subjects = all.map((shop) => ({
    label: shop.label,
    ...(shop.label !== base && { versus: base }),
    async measure(seconds: number) {
      const before = await cpuMs(shop.instances);
      const bought = await buyers.ask<Bought>(buying(shop, { seconds, together: false }));
      const cpu = (await cpuMs(shop.instances)) - before;
      if (bought.failed > 0 || bought.ordered < bought.pressed) {
        throw new Error(`${shop.label}: ${JSON.stringify(bought)}`);
      }
      return { perSecond: bought.ordered / bought.seconds, cpuMs: cpu / bought.ordered };
    },
  }));
  return inRounds(subjects, bench, {
    ratioOf: ({ perSecond }) => perSecond,
    show: (samples) => {
      const perSecond = median(samples.map((sample) => sample.perSecond)).toFixed(0);
      return `${perSecond}/s, ${median(samples.map((sample) => sample.cpuMs)).toFixed(2)} ms CPU`;
    },
  });
}

/** Three buyers for each bag: all press, then all pay at once. Runs once, and prints what became of them. */
export async function lot(bench: Bench): Promise<Row[]> {
  const buyers = bench.start("./buyers.ts");
  const progress = progressOn(process.stderr);
  const rows: Row[] = [];
  const bags = Math.floor(bench.buyers / 3);
  for (const shop of await openShops(bench, "lot", bags)) {
    progress(rows.length, 3, shop.label);
    const bought = await buyers.ask<Bought>(buying(shop, { buyers: bench.buyers, together: true }));
    const [first] = shop.instances;
    for (const { child } of shop.instances) await child.ask({ do: "finish" });
    const audit = await first!.child.ask<Audit>({ do: "audit", broughtIn: shop.stock });
    const { orders, captured, released, closed, refunds, incidents } = audit;
    const problems = [
      ...audit.problems,
      ...(bought.failed > 0 ? [`${bought.failed} answers of 500 and more`] : []),
      ...(orders === bags && captured === bags ? [] : ["sold or captured is not the lot"]),
      ...(refunds + incidents === 0 ? [] : ["refunds or incidents"]),
    ];
    const result =
      `${orders} sold = ${captured} captured, ${released} released, ${closed} closed, ` +
      `${refunds} refunds, ${incidents} incidents, ${bought.seconds.toFixed(1)} s`;
    rows.push([shop.label, [result, ...problems.map((one) => `**${one}**`)].join("; "), "", ""]);
  }
  progress(1, 1, "done");
  return rows;
}
