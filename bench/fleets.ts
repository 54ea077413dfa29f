import { join } from "node:path";
import type { Bench } from "./benchmark.ts";
import type { Child } from "./child.ts";
import type { CreatedQuote, Target } from "./messages.ts";
import { BEANS, writeCatalog } from "./shop.ts";
import type { Variant } from "./variants.ts";

export type Subject = "quotes" | "payments";

/** One line of the table: so many instances, asked for one thing. */
export interface Fleet {
  subject: Subject;
  label: string;
  targets: Target[];
  /** For payments: the review pages where pay can still be pressed. */
  reviews?: Reviews;
  /** What it came to in its best stretch. */
  fastest: number;
}

/** Payments a second, as long as none were measured. */
const FIRST_GUESS = 500;

/** Quotes made ahead on one database, so that a stretch of payments meets nothing but payments. */
export class Reviews {
  readonly #makers: readonly Child[];
  readonly #beans: readonly string[];
  #ready: string[] = [];

  constructor(makers: readonly Child[], beans: readonly string[]) {
    this.#makers = makers;
    this.#beans = beans;
  }

  /** At least so many are ready afterwards. */
  async fill(count: number): Promise<void> {
    const missing = count - this.#ready.length;
    if (missing <= 0) return;
    const ask = {
      do: "quote",
      beans: this.#beans,
      count: Math.ceil(missing / this.#makers.length),
    };
    const made = await Promise.all(this.#makers.map((maker) => maker.ask<CreatedQuote>(ask)));
    this.#ready = [...this.#ready, ...made.flatMap(({ reviews }) => reviews)];
  }

  take(count: number): string[] {
    return this.#ready.splice(0, count);
  }

  putBack(unused: readonly string[]): void {
    this.#ready = [...this.#ready, ...unused];
  }
}

export const MOST = 4;
const SERVICE: Variant = { name: "service", label: "", kind: "service", fsyncMs: 0 };

interface Server {
  child: Child;
  target: Target;
}

/** One process on SQLite and four on PostgreSQL. */
export async function openFleets({ folder, start }: Bench, postgres: string): Promise<Fleet[]> {
  const catalogFile = join(folder, "catalog.json");
  await writeCatalog(catalogFile);
  const open = async (file: string): Promise<Server> => {
    const child = start("./server.ts");
    const ask = { do: "open", variant: SERVICE, file, shop: { catalogFile } };
    return { child, target: await child.ask<Target>(ask) };
  };
  const sqlite = await open(join(folder, "merchant.db"));
  const instances: Server[] = [];
  for (let i = 0; i < MOST; i++) instances.push(await open(postgres));
  const fleets = [...quoteFleets(sqlite, instances), ...paymentFleets(sqlite, instances)];
  return fleets.map((fleet) => ({ ...fleet, fastest: FIRST_GUESS }));
}

type NewFleet = Omit<Fleet, "fastest">;

function quoteFleets(sqlite: Server, instances: readonly Server[]): NewFleet[] {
  const targets = instances.map(({ target }) => target);
  const oneKey = targets.map(({ url }) => ({ url, headers: targets[0]!.headers }));
  const fleets = [
    { label: "SQLite, one process", targets: [sqlite.target] },
    { label: "PostgreSQL, 1 instance", targets: targets.slice(0, 1) },
    ...[2, MOST].flatMap((n) => [
      { label: `PostgreSQL, ${n} instances, one key (hot)`, targets: oneKey.slice(0, n) },
      { label: `PostgreSQL, ${n} instances, a key each (spread)`, targets: targets.slice(0, n) },
    ]),
  ];
  return fleets.map((fleet) => ({ subject: "quotes", ...fleet }));
}

/** Starting a payment holds bags in the stock row of their bean. */
function paymentFleets(sqlite: Server, instances: readonly Server[]): NewFleet[] {
  const kinds = [
    { beans: BEANS.slice(0, 1), words: "one bean (hot)" },
    { beans: BEANS, words: `${BEANS.length} beans (spread)` },
  ].map(({ beans, words }) => ({
    words,
    onSqlite: new Reviews([sqlite.child], beans),
    onPostgres: new Reviews(
      instances.map(({ child }) => child),
      beans,
    ),
  }));
  const sizes = [
    { name: "SQLite, one process", servers: [sqlite] },
    { name: "PostgreSQL, 1 instance", servers: instances.slice(0, 1) },
    { name: "PostgreSQL, 2 instances", servers: instances.slice(0, 2) },
    { name: `PostgreSQL, ${MOST} instances`, servers: instances.slice(0, MOST) },
  ];
  return sizes.flatMap(({ name, servers }) =>
    kinds.map(({ words, onSqlite, onPostgres }) => ({
      subject: "payments" as const,
      label: `${name}, ${words}`,
      targets: servers.map(({ target }) => target),
      reviews: servers[0] === sqlite ? onSqlite : onPostgres,
    })),
  );
}
