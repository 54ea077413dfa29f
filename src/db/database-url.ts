/** The database that a DATABASE_URL names: a file (or ":memory:"), or a PostgreSQL server. */
export type DatabaseUrl = { engine: "sqlite"; file: string } | { engine: "postgres"; url: string };

/** Said where an address cannot be read: an unescaped # ends it before its host. */
export const PASSWORD_FORM = "in a password # / ? % are written %23 %2F %3F %25";

export const DATABASE_URL_FORMS = `sqlite:<file> or postgres://… with one host; ${PASSWORD_FORM}`;

/** The one reader of such addresses. Null where it is none of ours. */
export function readDatabaseUrl(text: string): DatabaseUrl | null {
  // Two slashes are a habit from other addresses, and say nothing: sqlite:///x is the file /x.
  const file = /^sqlite:(?:\/\/)?(\/?[^/].*)$/.exec(text)?.[1];
  if (file !== undefined) return { engine: "sqlite", file };
  const server = /^postgres(ql)?:\/\/./.test(text) && !SEVERAL_HOSTS.test(text);
  return server && URL.canParse(text.replace("@/", "@localhost/"))
    ? { engine: "postgres", url: text }
    : null;
}

/** The same, where the address was accepted at the start. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const address = readDatabaseUrl(text);
  if (!address) throw new Error(`A database is named as ${DATABASE_URL_FORMS}.`);
  return address;
}

/** libpq takes several hosts, this driver takes one. */
const SEVERAL_HOSTS = /^postgres(ql)?:\/\/([^/?]*@)?[^/?@]*,/;
