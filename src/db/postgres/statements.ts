import { PRIMARY_KEYS, type TableName } from "../../core/records.ts";
import { columnOf, columnsOf, quoted } from "../columns.ts";
import { combinations, keyOf, type Row } from "../match.ts";
import type { WriteStep } from "../overlay.ts";

/** One prepared statement with its values. Its text depends only on the shape of what it does. */
export interface Statement {
  text: string;
  values: unknown[];
  table?: TableName;
  /** How many rows it must touch. */
  rows?: number;
}

/**
 * The rows that fit any of these matches, in the order of their keys, which is the order in which
 * they are locked. Matches of one shape become arrays, so that a batch costs one statement a table.
 */
export function selectRows(
  table: TableName,
  matches: readonly Row[],
  lock: boolean,
): Statement | null {
  const shapes = shapesOf(matches);
  if (shapes.length === 0) return null;
  const values: unknown[] = [];
  const conditions = shapes.map((shape) => condition(table, shape, values));
  const key = PRIMARY_KEYS[table].map(quoted).join(", ");
  const where =
    conditions.length === 1
      ? conditions[0]
      : // Not OR, which would read the whole table; and one statement, or keys are locked unsorted.
        `(${key}) in (${conditions
          .map((one) => `select ${key} from ${quoted(table)} where ${one}`)
          .join(" union ")})`;
  const columns = columnsOf(table).map(quoted).join(", ");
  const end = lock ? ` order by ${key} for update` : "";
  const text = `select ${columns} from ${quoted(table)} where ${where}${end}`;
  return { text, values, table };
}

/** The steps a table and shape at a time, in their order. */
export function inBulk(steps: readonly WriteStep[]): Statement[] {
  const groups = Map.groupBy(steps, ({ op, table, touched }) => `${op} ${table} ${touched}`);
  return [...groups.values()].map((group) => {
    const { table } = group[0]!;
    const rows = group.map(({ row }) => row);
    // In the order of keys: two batches that bring the same new rows must not wait for each other.
    rows.sort((a, b) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1));
    return writeRows(group[0]!, rows);
  });
}

/** Rows travel as one JSON array: one value to bind, whatever their number. */
function writeRows({ op, table, touched }: WriteStep, rows: readonly Row[]): Statement {
  const given = `json_populate_recordset(null::${quoted(table)}, $1::json) as given`;
  if (op === "insert") {
    const columns = columnsOf(table).map(quoted).join(", ");
    const text = `insert into ${quoted(table)} (${columns}) select ${columns} from ${given}`;
    return { text, values: [JSON.stringify(rows)], table, rows: rows.length };
  }
  const key = PRIMARY_KEYS[table];
  const set = touched.map((name) => `${quoted(name)} = given.${quoted(name)}`).join(", ");
  const same = key
    .map((name) => `${quoted(table)}.${quoted(name)} = given.${quoted(name)}`)
    .join(" and ");
  const needed = rows.map((row) =>
    Object.fromEntries([...key, ...touched].map((name) => [name, row[name]])),
  );
  const text = `update ${quoted(table)} set ${set} from ${given} where ${same}`;
  return { text, values: [JSON.stringify(needed)], table, rows: rows.length };
}

interface Shape {
  /** Columns that equal a value, and for each of them the values of all matches. */
  columns: string[];
  lists: unknown[][];
  /** Columns that are null. */
  nulls: string[];
}

function shapesOf(matches: readonly Row[]): Shape[] {
  const looked = matches.flatMap(combinations).map((row) => {
    const names = Object.keys(row).sort();
    const columns = names.filter((name) => row[name] !== null);
    const nulls = names.filter((name) => row[name] === null);
    return { columns, nulls, values: columns.map((name) => row[name]) };
  });
  const shapes = Map.groupBy(looked, ({ columns, nulls }) => `${columns}|${nulls}`);
  return [...shapes.keys()].sort().map((key) => {
    const alike = shapes.get(key)!;
    const { columns, nulls } = alike[0]!;
    const tuples = new Map(alike.map(({ values }) => [JSON.stringify(values), values]));
    const lists = columns.map((_, i) => [...tuples.values()].map((values) => values[i]));
    return { columns, nulls, lists };
  });
}

function condition(table: TableName, { columns, lists, nulls }: Shape, values: unknown[]): string {
  const arrays = lists.map((list, i) => {
    values.push(list);
    return `$${values.length}::${typeOf(table, columns[i]!)}[]`;
  });
  const parts = nulls.map((name) => `${quoted(name)} is null`);
  if (columns.length === 1) parts.push(`${quoted(columns[0]!)} = any(${arrays[0]})`);
  if (columns.length > 1) {
    const names = columns.map(quoted).join(", ");
    parts.push(`(${names}) in (select * from unnest(${arrays.join(", ")}))`);
  }
  return parts.length > 0 ? parts.join(" and ") : "true";
}

const TYPES = { text: "text", integer: "integer", long: "bigint" } as const;

const typeOf = (table: TableName, name: string): string => TYPES[columnOf(table, name).kind];
