import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";

interface PendingRead<K, V> {
  key: K;
  resolve(value: V): void;
  reject(error: unknown): void;
}

/**
 * Groups a read that every request makes, such as finding an agent by its key. Reads of one turn of the
 * event loop share a transaction, because beginning one locks the file and costs several times what finding
 * a row does. Nothing is kept between turns, so a revoked key is refused at once.
 */
export function groupReads<K, V>(
  client: BetterSqlite3.Database,
  read: (key: K) => V,
  failed: (error: unknown) => unknown,
): (key: K) => Promise<V> {
  const begin = client.prepare("BEGIN");
  const commit = client.prepare("COMMIT");
  let queue: PendingRead<K, V>[] = [];

  const flush = () => {
    const pending = queue;
    queue = [];
    try {
      begin.run();
      const found = new Map(
        [...new Set(pending.map(({ key }) => key))].map((key) => [key, read(key)]),
      );
      commit.run();
      for (const { key, resolve } of pending) resolve(found.get(key)!);
    } catch (error) {
      if (client.inTransaction) client.exec("ROLLBACK");
      for (const { reject } of pending) reject(failed(error));
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (queue.length === 1) setImmediate(flush);
    });
}
