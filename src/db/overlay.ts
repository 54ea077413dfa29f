import { lock, type Match, type Read, type State, stateOf, type Write } from "../core/command.ts";
import { PRIMARY_KEYS, TABLE_NAMES, type TableName } from "../core/records.ts";
import { fits, isKey, keyOf, type Row } from "./rows.ts";
import { GuardFailed, KeyTaken } from "./store.ts";

interface OverlayRow {
  row: Row;
  /** Not in the database yet. */
  fresh: boolean;
  /** Locked: it cannot change before we commit. */
  locked: boolean;
  /** Columns set since it was loaded. */
  touched: ReadonlySet<string>;
}

const UNTOUCHED: ReadonlySet<string> = new Set();

/** What became of a row: it is new, or some of its columns are. */
export interface WriteStep {
  op: "insert" | "update";
  table: TableName;
  /** The columns that an update sets; empty for an insert. */
  touched: string[];
  row: Row;
}

/**
 * The rows of one transaction in memory, with the writes decided so far applied to them, so that
 * many commands can be decided in one transaction, each seeing what the ones before it did. Exact,
 * because reads are equality on columns and writes are data: a row that matches now either matched
 * when it was loaded, or was written by a command of this very transaction and is therefore here.
 */
export class Overlay {
  readonly #tables = new Map<TableName, Map<string, OverlayRow>>();

  /** Takes rows as the database has them. What is locked, and maybe changed, stays. */
  load(table: TableName, rows: readonly Row[], locked: boolean): void {
    const held = this.#table(table);
    for (const row of rows) {
      const key = keyOf(table, row);
      if (held.get(key)?.locked) continue;
      held.set(key, { row, fresh: false, locked, touched: UNTOUCHED });
    }
  }

  /** The rows of these reads, each once, and nothing that another command asked for. */
  state(reads: readonly Read[]): State {
    const found: { [table: string]: OverlayRow[] } = {};
    for (const { table, match } of reads) {
      const known = found[table];
      const rows = this.#find(table, match as Row);
      found[table] = known ? [...new Set([...known, ...rows])] : rows;
    }
    const shown: { [table: string]: Row[] } = {};
    for (const table in found) shown[table] = found[table]!.map(({ row }) => ({ ...row }));
    return stateOf(shown as Partial<State>);
  }

  /** Whether a read names its rows by one key, and all of them are here. */
  holds({ table, match }: Read): boolean {
    const [key = "", ...more] = PRIMARY_KEYS[table];
    const named = (match as Row)[key];
    if (named === undefined || more.length > 0 || Object.keys(match).length > 1) return false;
    const held = this.#tables.get(table);
    return [named].flat().every((value) => held?.has(String(value)));
  }

  /** Rows that these writes change and that are neither locked here yet nor new with them. */
  unlocked(writes: readonly Write[]): Read[] {
    return writes.flatMap((write) => {
      if (write.op === "insert") return [];
      const { table, key } = write;
      if (isKey(table, key)) {
        const name = keyOf(table, key);
        if (this.#table(table).get(name)?.locked) return [];
        const isNew = (one: Write) =>
          one.op === "insert" && one.table === table && keyOf(table, one.row as never) === name;
        if (writes.some(isNew)) return [];
      }
      return [lock(table, key as Match<typeof table>)];
    });
  }

  /** Applies all of a command's writes or, where one of them fails, none. */
  apply(writes: readonly Write[]): void {
    const undo: (() => void)[] = [];
    try {
      for (const write of writes) {
        if (write.op === "insert") this.#insert(write.table, write.row as unknown as Row, undo);
        else this.#update(write.table, write as unknown as AnyUpdate, undo);
      }
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    }
  }

  /**
   * What has changed since loading, at most one step a row: first what changes, so that a place which
   * one row leaves is free for another, then what is new.
   */
  changes(): WriteStep[] {
    const updates: WriteStep[] = [];
    const inserts: WriteStep[] = [];
    for (const table of TABLE_NAMES) {
      for (const { row, fresh, touched } of this.#tables.get(table)?.values() ?? []) {
        if (fresh) inserts.push({ op: "insert", table, touched: [], row });
        else if (touched.size > 0) {
          updates.push({ op: "update", table, touched: [...touched].sort(), row });
        }
      }
    }
    return [...updates, ...inserts];
  }

  #insert(table: TableName, row: Row, undo: (() => void)[]): void {
    const held = this.#table(table);
    const key = keyOf(table, row);
    if (held.has(key)) throw new KeyTaken(`insert ${table}: there is such a row`);
    held.set(key, { row, fresh: true, locked: true, touched: UNTOUCHED });
    undo.push(() => held.delete(key));
  }

  #update(table: TableName, { key, set, expect }: AnyUpdate, undo: (() => void)[]): void {
    const rows = this.#find(table, key).filter(({ row }) => fits(row, expect ?? {}));
    const held = rows[0];
    if (!held || rows.length > 1) throw new GuardFailed(`update ${table}: ${rows.length} rows`);
    const values = Object.entries(set).filter(([, value]) => value !== undefined);
    const touched = values.map(([name]) => name);
    const primary: readonly string[] = PRIMARY_KEYS[table];
    if (touched.some((name) => primary.includes(name))) {
      throw new Error(`update ${table}: a primary key never changes`);
    }
    const before = { ...held };
    undo.push(() => Object.assign(held, before));
    held.row = { ...held.row, ...Object.fromEntries(values) };
    held.touched = new Set([...held.touched, ...touched]);
  }

  #find(table: TableName, match: Row): OverlayRow[] {
    const held = this.#table(table);
    if (isKey(table, match)) {
      const one = held.get(keyOf(table, match));
      return one ? [one] : [];
    }
    return [...held.values()].filter(({ row }) => fits(row, match));
  }

  #table(table: TableName): Map<string, OverlayRow> {
    let held = this.#tables.get(table);
    if (!held) {
      held = new Map();
      this.#tables.set(table, held);
    }
    return held;
  }
}

interface AnyUpdate {
  key: Row;
  set: Row;
  expect?: Row;
}
