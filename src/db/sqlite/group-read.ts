import { setImmediate } from "node:timers";
import type BetterSqlite3 from "better-sqlite3";

interface PendingRead<K, V> {
  key: K;
  resolve(value: V): void;
  reject(error: unknown): void;
}

/**
 * A read that every request makes, such as who holds a key. What is asked for in one turn of the event
 * loop shares one transaction: beginning one takes the locks of the file, which costs several times
 * what finding a row does. Nothing is kept between turns, so a key taken back is refused at once.
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
    const asked = queue;
    queue = [];
    try {
      begin.run();
      const found = new Map(
        [...new Set(asked.map(({ key }) => key))].map((key) => [key, read(key)]),
      );
      commit.run();
      for (const { key, resolve } of asked) resolve(found.get(key)!);
    } catch (error) {
      if (client.inTransaction) client.exec("ROLLBACK");
      for (const { reject } of asked) reject(failed(error));
    }
  };

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (queue.length === 1) setImmediate(flush);
    });
}
