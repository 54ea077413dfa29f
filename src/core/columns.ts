import type { Id, Prefix } from "./ids.ts";

/** A column, the same for both engines. */
export interface Column<T = unknown> {
  /** `integer` has 32 bits; `long` values are below 2^53. */
  kind: "text" | "integer" | "long";
  nullable?: true;
  /** Part of the primary key. */
  key?: true;
  /** Value in rows that are older than the column. */
  default?: number;
  /** Type of the value, for the compiler only. */
  value?: T;
}

export type Columns = Record<string, Column>;

/** A complete row. */
export type Row<C> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

export const text: Column<string> = { kind: "text" };
export const idOf = <P extends Prefix>(_prefix: P): Column<Id<P>> => ({ kind: "text" });
export const integer: Column<number> = { kind: "integer" };
/** Milliseconds since the epoch. */
export const time: Column<number> = { kind: "long" };
/** Minor units of usd. */
export const minor: Column<number> = { kind: "long" };

/** Text that is one of these values. */
export const oneOf = <T extends string>(): Column<T> => ({ kind: "text" });

export const orNull = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true });

export const key = <T>(column: Column<T>): Column<T> => ({ ...column, key: true });

/** Marks a column that a new row may leave out. */
type Later = { later: true };

/** Null until something happens to the row. */
export const later = <T>(column: Column<T>): Column<T | null> & Later => ({
  ...orNull(column),
  later: true,
});

export const withDefault = (column: Column<number>, value: number): Column<number> & Later => ({
  ...column,
  default: value,
  later: true,
});

/** Nullable in the database only: a column that migrations added and filled. */
export const filled = <T>(column: Column<T>): Column<T> => ({ ...column, nullable: true });

type LaterIn<C> = { [K in keyof C]: C[K] extends Later ? K : never }[keyof C];

/** A new row, in which later columns are optional. */
export type NewRow<C> = Omit<Row<C>, LaterIn<C>> & Partial<Row<C>>;
