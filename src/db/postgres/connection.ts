import { Socket } from "node:net";
import pg from "pg";
import { GuardFailed } from "../store.ts";
import type { ConnectionWatchdog } from "./connection-watchdog.ts";
import { failureOf, StatementFailed } from "./errors.ts";
import type { Statement } from "./statements.ts";

const CONNECT_MS = 3000;
const STATEMENT_MS = 5000;

/** Longer than the server's own limit: it decides where this connection alone is dead. */
const ANSWER_MS = STATEMENT_MS + 1000;

/** A process that stands still between statements must not keep others from its rows for longer. */
const IDLE_IN_TRANSACTION_MS = 3000;

const BIGINT_OID = 20;

/** Whole numbers come as numbers: ours stay below 2^53. */
export function numbers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(BIGINT_OID, Number);
  return types;
}

export function connectionConfig(url: string, line: ConnectionWatchdog): pg.PoolConfig {
  return {
    connectionString: url,
    application_name: "coffee-merchant",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    types: numbers(),
    pipeline: true,
    stream: () => line.socket(),
  };
}

/**
 * A statement, not startup parameters: those are refused by PgBouncer. It goes out first on its
 * connection, so whatever follows keeps to it. `lockMs`: how long one waits for somebody else's lock.
 */
export async function setTimeouts(client: pg.ClientBase, lockMs: number): Promise<void> {
  await client.query(
    `set lock_timeout = ${lockMs}; set statement_timeout = ${STATEMENT_MS};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/** What is done once may take its time, and waits for locks: so long, and not for ever. */
const OWN_ANSWER_MS = 150_000;

/** A network that swallows everything swallows the farewell, too. */
export const FAREWELL_MS = 1000;

/**
 * A connection by itself, for what is done once. What breaks is told by the statement that it breaks, also
 * a network that swallows everything.
 */
export function ownClient(
  url: string,
  purpose: string,
  { answerMs = OWN_ANSWER_MS, ...more }: pg.ClientConfig & { answerMs?: number | undefined } = {},
): pg.Client {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    application_name: `coffee-merchant ${purpose}`,
    connectionTimeoutMillis: 10_000,
    stream: () => socket,
    ...more,
  });
  client.on("error", () => {});
  const within = (ms: number, ask: (...given: unknown[]) => Promise<unknown>) => {
    const silence = new Error(`the database has said nothing for ${ms / 1000} seconds`);
    return async (...given: unknown[]) => {
      const late = setTimeout(() => socket.destroy(silence), ms);
      return ask(...given).finally(() => clearTimeout(late));
    };
  };
  return Object.assign(client, {
    query: within(answerMs, client.query.bind(client)),
    end: within(FAREWELL_MS, client.end.bind(client)),
  } as object);
}

export function openPool(
  connection: pg.PoolConfig,
  { size, lockMs, log }: { size: number; lockMs: number; log: Log },
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: 60_000,
    // A server that took over behind the same name gets its share of connections sooner or later.
    maxLifetimeSeconds: 1800,
  });
  pool.on("error", (error) => log(`an idle connection broke: ${error.message}`));
  // Without a listener, a connection that breaks while in use would end the process.
  pool.on("connect", (client) => {
    client.on("error", () => {});
    setTimeouts(client, lockMs).catch(() => {});
  });
  return pool;
}

export type Log = (message: string) => void;

/** One connection in one transaction. */
export interface PostgresSession {
  /** Sends all of them at once, in this order, and awaits every answer. */
  sendAll(statements: readonly Statement[]): Promise<pg.QueryResult[]>;
}

const BEGIN: Statement = { text: "begin isolation level read committed", values: [] };
const COMMIT: Statement = { text: "commit", values: [] };
const ROLLBACK: Statement = { text: "rollback", values: [] };

/** Everything in `work` or nothing. BEGIN travels with its first statements. */
export async function transaction<T>(
  pool: pg.Pool,
  work: (session: PostgresSession) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new StatementFailed(error, undefined);
  });
  let begun = false;
  const session: PostgresSession = {
    async sendAll(statements) {
      if (begun) return send(client, statements);
      begun = true;
      return (await send(client, [BEGIN, ...statements])).slice(1);
    },
  };
  let broken = false;
  let uncommitted = true;
  // Where this process stood still meanwhile, its connection was ended without a statement to tell it.
  const ended = () => {
    broken = true;
  };
  client.once("error", ended);
  try {
    const result = await work(session);
    uncommitted = broken;
    const [end] = await send(client, [COMMIT]);
    // COMMIT of a transaction that has failed answers ROLLBACK, without an error.
    if (end?.command !== "COMMIT") throw new GuardFailed(`commit answered ${end?.command}`);
    return result;
  } catch (error) {
    if (failureOf(error) === "gone") {
      broken = true;
      Object.assign(error as StatementFailed, { uncommitted });
    } else await send(client, [ROLLBACK]).catch(ended);
    throw error;
  } finally {
    client.off("error", ended);
    client.release(broken);
  }
}

async function send(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  const answers = await Promise.allSettled(
    statements.map(({ text, values }) => client.query({ name: nameOf(text), text, values })),
  );
  return answers.map((answer, i) => {
    const { table, rows } = statements[i]!;
    if (answer.status === "rejected") throw new StatementFailed(answer.reason, table);
    if (rows !== undefined && answer.value.rowCount !== rows) {
      throw new GuardFailed(`${table}: ${answer.value.rowCount} rows instead of ${rows}`);
    }
    return answer.value;
  });
}

const names = new Map<string, string>();

/** Prepared once a connection. There are as many texts as shapes of reads and writes: few. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `merchant_${names.size}`;
    names.set(text, name);
  }
  return name;
}
