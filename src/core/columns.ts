/** What the columns of a table hold, for every engine alike: the one declaration of its rows. */
export interface Column<T = unknown> {
  /** `integer` has 32 bits; `long` is beyond them and within 2^53. */
  kind: "text" | "integer" | "long";
  nullable?: true;
  /** Part of the primary key. */
  key?: true;
  /** What rows have that were there before the column was. */
  default?: number;
  /** Of the compiler alone: what a row has here. */
  value?: T;
}

export type Columns = Record<string, Column>;

/** A row, as rules and queries have it. */
export type Row<C> = { [K in keyof C]: C[K] extends Column<infer T> ? T : never };

export const text: Column<string> = { kind: "text" };
export const integer: Column<number> = { kind: "integer" };
/** Milliseconds since the epoch. */
export const time: Column<number> = { kind: "long" };
/** Minor units of usd. */
export const minor: Column<number> = { kind: "long" };

/** Text that is one of few words. */
export const oneOf = <T extends string>(): Column<T> => ({ kind: "text" });

export const orNull = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true });

export const key = <T>(column: Column<T>): Column<T> => ({ ...column, key: true });

/** What a new row need not say. */
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

type LaterIn<C> = { [K in keyof C]: C[K] extends Later ? K : never }[keyof C];

/** A row as it is made: what comes later may be left out. */
export type NewRow<C> = Omit<Row<C>, LaterIn<C>> & Partial<Row<C>>;
