import type { Store } from "./store.ts";

/** Database that a DATABASE_URL names: a file (or ":memory:"), or a PostgreSQL server. */
export type DatabaseUrl = { engine: "sqlite"; file: string } | { engine: "postgres"; url: string };

/** Hint for an address that can't be read: an unescaped # ends it before its host. */
export const PASSWORD_FORM = "in a password # / ? % are written %23 %2F %3F %25";

export const DATABASE_URL_FORMS = `sqlite:<file> or postgres://… with one host; ${PASSWORD_FORM}`;

/** Null for an address of neither form. */
export function readDatabaseUrl(text: string): DatabaseUrl | null {
  // People write two slashes as in other addresses: sqlite:///x is the file /x.
  const file = /^sqlite:(?:\/\/)?(\/?[^/].*)$/.exec(text)?.[1];
  // A file of that name would be a new, empty shop.
  if (file?.includes("?")) return null;
  if (file !== undefined) return { engine: "sqlite", file };
  const server = /^postgres(ql)?:\/\/./.test(text) && !SEVERAL_HOSTS.test(text);
  return server && URL.canParse(text.replace("@/", "@localhost/"))
    ? { engine: "postgres", url: text }
    : null;
}

/** Reads an address that was accepted at the start. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const address = readDatabaseUrl(text);
  if (!address) throw new Error(`DATABASE_URL must be ${DATABASE_URL_FORMS}.`);
  return address;
}

/** libpq takes several hosts, this driver takes one. */
const SEVERAL_HOSTS = /^postgres(ql)?:\/\/([^/?]*@)?[^/?@]*,/;

/** Parameters that the PostgreSQL driver reads, and harmless ones that hosting providers add for other drivers. */
const PARAMETERS =
  /^(user|password|host|port|ssl(mode|cert|key|rootcert|negotiation)?|uselibpqcompat|channel_binding|options|client_encoding|(fallback_)?application_name|connect_timeout|(statement|lock|query|idle_in_transaction_session)_timeout)$/;

/** Names in the query of a PostgreSQL address that have no effect. */
export function idleParameters(databaseUrl: string): string[] {
  const { searchParams } = new URL(databaseUrl.replace("@/", "@localhost/"));
  return [...searchParams.keys()].filter((name) => !PARAMETERS.test(name));
}

export interface OpenStoreOptions {
  /** Commands that may share one transaction. */
  batch?: number | undefined;
  /** Limit of a PostgreSQL statement, where the usual one is too short. */
  statementMs?: number | undefined;
  /** Reports broken connections to the operator. */
  log?: ((message: string) => void) | undefined;
}

/** Migrates and opens a database. Only its engine is loaded: the other one would slow every start. */
export async function openStore(databaseUrl: string, options: OpenStoreOptions): Promise<Store> {
  const database = parseDatabaseUrl(databaseUrl);
  if (database.engine === "postgres") {
    const { openPostgres } = await import("./postgres/postgres-store.ts");
    return openPostgres({ url: database.url, ...options });
  }
  const { openSqlite } = await import("./sqlite/sqlite-store.ts");
  return openSqlite({ file: database.file, batch: options.batch });
}
