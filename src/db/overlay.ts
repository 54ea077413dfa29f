import { lock, type Match, type Read, type State, stateOf, type Write } from "../core/command.ts";
import { PRIMARY_KEYS, TABLE_NAMES, type TableName } from "../core/records.ts";
import { fits, isKey, keyOf, type Row } from "./rows.ts";

/**
 * An update found a row that differs from the one decided upon. PostgreSQL decides the command again.
 * On SQLite no other command runs in between, so it is a rule's mistake.
 */
export class GuardFailed extends Error {
  override name = "GuardFailed";
}

/** An insert met a row with the same key. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}

interface OverlayRow {
  row: Row;
  /** Not in the database yet. */
  fresh: boolean;
  /** No other transaction can change it before we commit. */
  locked: boolean;
  /** Columns set since it was loaded. */
  touched: ReadonlySet<string>;
  /** Its last update among all of the transaction's. */
  turn: number;
}

const UNTOUCHED: ReadonlySet<string> = new Set();

/** Change of one row: an insert, or an update of some columns. */
export interface WriteStep {
  op: "insert" | "update";
  table: TableName;
  /** The columns that an update sets; empty for an insert. */
  touched: string[];
  row: Row;
}

/**
 * Rows of one transaction in memory, with the writes decided so far, so that each command of a batch
 * sees the writes of those before it. This is exact because reads are equality on columns and writes are
 * data: a row that matches now either matched when it was loaded, or was written by a command of this
 * transaction and is therefore here.
 */
export class Overlay {
  readonly #tables = new Map<TableName, Map<string, OverlayRow>>();
  #turns = 0;

  /** Takes rows of the database. Rows that are locked here, and perhaps changed, stay. */
  load(table: TableName, rows: readonly Row[], locked: boolean): void {
    const held = this.#table(table);
    for (const row of rows) {
      const key = keyOf(table, row);
      if (held.get(key)?.locked) continue;
      held.set(key, { row, fresh: false, locked, touched: UNTOUCHED, turn: 0 });
    }
  }

  /** Copies of the rows of these reads, each once. */
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

  /** Whether a read names its rows by primary key, and all of them are here. */
  holds({ table, match }: Read): boolean {
    const [key = "", ...more] = PRIMARY_KEYS[table];
    const named = (match as Row)[key];
    if (named === undefined || more.length > 0 || Object.keys(match).length > 1) return false;
    const held = this.#tables.get(table);
    return [named].flat().every((value) => held?.has(String(value)));
  }

  /** Rows that these writes update and that are neither locked yet nor inserted by them. */
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

  /** Applies all of a command's writes, or none when one of them fails. */
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
   * Changes since loading, at most one step a row. Updates come first, in the order in which they were
   * decided, so that a unique value which one row gives up is free for another.
   */
  changes(): WriteStep[] {
    const updates: (WriteStep & { turn: number })[] = [];
    const inserts: WriteStep[] = [];
    for (const table of TABLE_NAMES) {
      for (const { row, fresh, touched, turn } of this.#tables.get(table)?.values() ?? []) {
        if (fresh) inserts.push({ op: "insert", table, touched: [], row });
        else if (touched.size > 0) {
          updates.push({ op: "update", table, touched: [...touched].sort(), row, turn });
        }
      }
    }
    updates.sort((a, b) => a.turn - b.turn);
    return [...updates.map(({ turn: _, ...step }) => step), ...inserts];
  }

  #insert(table: TableName, row: Row, undo: (() => void)[]): void {
    const held = this.#table(table);
    const key = keyOf(table, row);
    if (held.has(key)) throw new KeyTaken(`insert ${table}: the key is taken`);
    held.set(key, { row, fresh: true, locked: true, touched: UNTOUCHED, turn: 0 });
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
    held.turn = ++this.#turns;
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
