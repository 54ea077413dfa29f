import { PRIMARY_KEYS, type TableName } from "../../core/records.ts";
import type { WriteStep } from "../overlay.ts";
import { columnOf, columnsOf, keyOf, quoted, type Row } from "../rows.ts";

/** A prepared statement with its values. Statements of one shape have one text. */
export interface Statement {
  text: string;
  values: unknown[];
  table?: TableName;
  /** Number of rows it must affect. */
  rows?: number;
}

/**
 * Selects the rows that fit any of these matches, and locks them in the order of their keys.
 * Matches of one shape become arrays, so that a batch costs one statement a table.
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
      : // OR would read the whole table, and several statements would lock keys unsorted.
        `(${key}) in (${conditions
          .map((one) => `select ${key} from ${quoted(table)} where ${one}`)
          .join(" union ")})`;
  const columns = columnsOf(table).map(quoted).join(", ");
  const end = lock ? ` order by ${key} for update` : "";
  const text = `select ${columns} from ${quoted(table)} where ${where}${end}`;
  return { text, values, table };
}

/** One statement for each table and shape of steps. */
export function inBulk(steps: readonly WriteStep[]): Statement[] {
  const groups = Map.groupBy(steps, ({ op, table, touched }) => `${op} ${table} ${touched}`);
  return [...groups.values()].map((group) => {
    const { table } = group[0]!;
    const rows = group.map(({ row }) => row);
    // Sorted by key: two batches that insert the same rows must not wait for each other.
    rows.sort((a, b) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1));
    return writeRows(group[0]!, rows);
  });
}

/** Rows are sent as one JSON array, so their number does not change the statement. */
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

/** Matches of the same columns: each column's values in all matches, and the columns that are null. */
interface Shape {
  columns: string[];
  lists: unknown[][];
  nulls: string[];
}

/** A match without arrays: every combination of its values. */
function combinations(match: Row): Row[] {
  let rows: Row[] = [{}];
  for (const [name, value] of Object.entries(match)) {
    if (value === undefined) throw new Error(`a match names ${name} without a value`);
    const values: unknown[] = Array.isArray(value) ? [...new Set(value)] : [value];
    rows = rows.flatMap((row) => values.map((one) => ({ ...row, [name]: one })));
  }
  return rows;
}

function shapesOf(matches: readonly Row[]): Shape[] {
  const single = matches.flatMap(combinations).map((row) => {
    const names = Object.keys(row).sort();
    const columns = names.filter((name) => row[name] !== null);
    const nulls = names.filter((name) => row[name] === null);
    return { columns, nulls, values: columns.map((name) => row[name]) };
  });
  const shapes = Map.groupBy(single, ({ columns, nulls }) => `${columns}|${nulls}`);
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
