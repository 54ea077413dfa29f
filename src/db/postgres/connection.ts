import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { GuardFailed } from "../overlay.ts";
import { failureOf, StatementFailed } from "./errors.ts";
import type { Statement } from "./statements.ts";

export type Log = (message: string) => void;

const CONNECT_MS = 3000;

/** Usual limit of a statement on the server. */
export const STATEMENT_MS = 5000;

/** How much longer the client waits. Then the connection is dead, and pg destroys it. */
const NETWORK_MS = 1000;

/** A process that is suspended in a transaction must not keep its locks for longer. */
const IDLE_IN_TRANSACTION_MS = 3000;

const BIGINT_OID = 20;

/** Parses 64-bit integers as numbers: ours stay below 2^53. */
function numbers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(BIGINT_OID, Number);
  return types;
}

export const connectionConfig = (url: string, statementMs: number): pg.PoolConfig => ({
  connectionString: url,
  application_name: "coffee-merchant",
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: statementMs + NETWORK_MS,
  types: numbers(),
  // In a pipeline, pg destroys a connection whose query times out.
  pipeline: true,
});

/**
 * Limits statements on a new connection, before its first one. PgBouncer refuses these settings as
 * startup parameters. `lockMs` limits the wait for another transaction's lock.
 */
export async function setTimeouts(
  client: pg.ClientBase,
  { lockMs, statementMs }: { lockMs: number; statementMs: number },
): Promise<void> {
  await client.query(
    `set lock_timeout = ${lockMs}; set statement_timeout = ${statementMs};
     set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  );
}

/** Closes a connection. A dead network does not answer that, so the wait is short. */
export async function disconnect(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {});
  await Promise.race([ended, delay(1000, undefined, { ref: false })]);
}

interface PoolOptions {
  /** Most connections of commands, and most of reads. */
  sizes: { commands: number; reads: number };
  lockMs: number;
  statementMs: number;
  log: Log;
}

/** Opens a pool for commands and another for reads, so that slow reads never keep a payment waiting. */
export function openPools(connection: pg.PoolConfig, { sizes, log, ...limits }: PoolOptions) {
  const sockets = new Set<Socket>();
  const openPool = (max: number) => {
    const pool = new pg.Pool({
      ...connection,
      stream: () => {
        const socket = new Socket();
        sockets.add(socket);
        return socket.once("close", () => sockets.delete(socket));
      },
      max,
      idleTimeoutMillis: 60_000,
      // A server that took over behind the same name gets its share of connections in time.
      maxLifetimeSeconds: 1800,
    });
    pool.on("error", (error) => log(`an idle connection broke: ${error.message}`));
    pool.on("connect", (client) => {
      // Without a listener, a connection that breaks while in use would end the process.
      client.on("error", () => {});
      setTimeouts(client, limits).catch(() => {});
    });
    return pool;
  };
  /** This process was suspended meanwhile, so the reply may have arrived long ago. */
  const isLate = ({ message, waitedMs }: StatementFailed) =>
    waitedMs >
    (/connect/i.test(message) ? CONNECT_MS + NETWORK_MS / 2 : limits.statementMs + 2 * NETWORK_MS);
  /** After one connection was silent for too long, waiting for each of the others would take as long. */
  const cut = (error: StatementFailed) => {
    if (!error.timedOut || isLate(error)) return;
    for (const socket of sockets) socket.destroy(new Error("Read timeout of another connection"));
  };
  return { commands: openPool(sizes.commands), reads: openPool(sizes.reads), cut, isLate };
}

/** Sends statements of a transaction at once, in this order, and returns all their results. */
export type SendAll = (statements: readonly Statement[]) => Promise<pg.QueryResult[]>;

const BEGIN: Statement = { text: "begin isolation level read committed", values: [] };
const COMMIT: Statement = { text: "commit", values: [] };
const ROLLBACK: Statement = { text: "rollback", values: [] };

/** Runs `work` in a transaction. BEGIN is sent with its first statements. */
export async function transaction<T>(
  pool: pg.Pool,
  work: (sendAll: SendAll) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw Object.assign(new StatementFailed(error, undefined), { uncommitted: true });
  });
  let begun = false;
  let broken = false;
  let uncommitted = true;
  // The server may end the connection between two statements, while this process is suspended.
  const onError = () => {
    broken = true;
  };
  client.once("error", onError);
  try {
    const result = await work(async (statements) => {
      if (begun) return send(client, statements);
      begun = true;
      return (await send(client, [BEGIN, ...statements])).slice(1);
    });
    uncommitted = broken;
    const [end] = await send(client, [COMMIT]);
    // COMMIT of a failed transaction answers ROLLBACK, without an error.
    if (end?.command !== "COMMIT") throw new GuardFailed(`commit answered ${end?.command}`);
    return result;
  } catch (error) {
    if (failureOf(error) === "gone") {
      broken = true;
      if (error instanceof StatementFailed) {
        // Sent again after a long silence, it would keep its caller waiting for another connection, too.
        error.uncommitted = uncommitted && !error.timedOut && error.waitedMs < CONNECT_MS;
      }
    } else await send(client, [ROLLBACK]).catch(onError);
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

async function send(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<pg.QueryResult[]> {
  const began = performance.now();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  // Corked, all statements leave in one write.
  stream.cork();
  const sent = statements.map(({ text, values }) =>
    client.query({ name: nameOf(text), text, values }),
  );
  stream.uncork();
  const answers = await Promise.allSettled(sent);
  return answers.map((answer, i) => {
    const { table, rows } = statements[i]!;
    if (answer.status === "rejected") {
      throw new StatementFailed(answer.reason, table, performance.now() - began);
    }
    if (rows !== undefined && answer.value.rowCount !== rows) {
      throw new GuardFailed(`${table}: ${answer.value.rowCount} rows instead of ${rows}`);
    }
    return answer.value;
  });
}

const names = new Map<string, string>();

/** Names a statement, so that each connection prepares it once. There are few shapes of reads and writes. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `merchant_${names.size}`;
    names.set(text, name);
  }
  return name;
}
