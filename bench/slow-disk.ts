import BetterSqlite3 from "better-sqlite3";

/**
 * A slower disk: every COMMIT takes so many milliseconds more, on the thread that commits, as a real
 * fsync does. Many disks of rented machines are like that; a fast local one hides what commits cost.
 */
export function slowDisk(ms: number): void {
  if (ms === 0) return;
  const { prototype } = BetterSqlite3;
  const prepare = prototype.prepare;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  prototype.prepare = function slow(this: BetterSqlite3.Database, source: string) {
    const statement = prepare.call(this, source) as BetterSqlite3.Statement<[]>;
    if (source !== "COMMIT") return statement;
    const run = statement.run.bind(statement) as () => BetterSqlite3.RunResult;
    statement.run = () => {
      const result = run();
      Atomics.wait(clock, 0, 0, ms);
      return result;
    };
    return statement;
  } as typeof prepare;
}
