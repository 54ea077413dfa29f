import { MerchantError } from "./errors.ts";
import { ROOM, TIMES } from "./policy.ts";
import { type NewRows, newRow, TABLE_NAMES, type TableName, type Tables } from "./records.ts";

/**
 * How a decision meets the database. A rule says which rows it needs (`reads`), then decides over
 * plain rows what to answer and what to write (`decide`): no I/O, no clock, no random; those arrive
 * in the command. A store runs it in one transaction and may run `decide` again when it lost a race.
 */
export interface Rule<C, R> {
  reads(command: C): Read[];
  decide(command: C, state: State): Decision<R>;
}

export interface Decision<R> {
  reply: R;
  writes: Write[];
  /** Nothing was to be done, and whatever happens this request will be answered so: `once` keeps nothing. */
  forGood?: true;
  /** Not written, and refused, where the disk has fewer free bytes than this: `ROOM` in policy. */
  room?: number;
}

/** A rule that answers nothing: it refuses, or says what to write. */
export const writeRule = <C>(rule: {
  reads(command: C): Read[];
  writes(command: C, state: State): Write[];
}): Rule<C, null> => ({
  reads: rule.reads,
  decide: (command, state) => ({ reply: null, writes: rule.writes(command, state) }),
});

/** Rows whose columns equal these values; an array stands for any of them. */
export type Match<N extends TableName> = {
  [K in keyof Tables[N]]?: Tables[N][K] | readonly Tables[N][K][];
};

/** Rows to load. They are locked against change unless `lock` is false. */
export type Read = {
  [N in TableName]: { table: N; match: Match<N>; lock?: false };
}[TableName];

/** The rows that `reads` asked for; a table that was not asked for is empty. */
export type State = { readonly [N in TableName]: readonly Tables[N][] };

export type Insert = { [N in TableName]: { op: "insert"; table: N; row: Tables[N] } }[TableName];

/** Must touch exactly the one row that `key` names and `expect` still describes. */
export type Update = {
  [N in TableName]: {
    op: "update";
    table: N;
    key: Partial<Tables[N]>;
    set: Partial<Tables[N]>;
    expect?: Partial<Tables[N]>;
  };
}[TableName];

export type Write = Insert | Update;

export const insert = <N extends TableName>(table: N, row: NewRows[N]): Write =>
  ({ op: "insert", table, row: newRow(table, row) }) as Write;

export const update = <N extends TableName>(
  table: N,
  key: Partial<Tables[N]>,
  set: Partial<Tables[N]>,
  expect?: Partial<Tables[N]>,
): Write => ({ op: "update", table, key, set, ...(expect && { expect }) }) as Write;

/** All columns of a row: of the one that is known under this key, or of a new one. */
export const put = <N extends TableName, K extends keyof Tables[N]>(
  table: N,
  known: Tables[N] | undefined,
  key: Pick<Tables[N], K>,
  rest: Omit<Tables[N], K>,
): Write =>
  known
    ? update(table, key as Partial<Tables[N]>, rest as unknown as Partial<Tables[N]>)
    : insert(table, { ...key, ...rest } as unknown as Tables[N]);

/** The same to each of these rows, by their ids. */
export const updateEach = <N extends TableName>(
  table: N,
  rows: readonly { id: string }[],
  set: Partial<Tables[N]>,
): Write[] => rows.map(({ id }) => update(table, { id } as unknown as Partial<Tables[N]>, set));

/** What a setting is; undefined before its first value. */
export const settingIn = ({ settings }: Pick<State, "settings">, name: string) =>
  settings.find((row) => row.name === name)?.value;

/** A setting that was read under a lock takes a value, its first one too. */
export function setSetting(s: Pick<State, "settings">, name: string, value: string) {
  const before = settingIn(s, name);
  return before === undefined
    ? insert("settings", { name, value })
    : update("settings", { name }, { value }, { value: before });
}

export const lock = <N extends TableName>(table: N, match: Match<N>): Read =>
  ({ table, match }) as Read;

/** Read without locking: for rows that only inform the decision and may move on meanwhile. */
export const readUnlocked = <N extends TableName>(table: N, match: Match<N>): Read =>
  ({ table, match, lock: false }) as Read;

const EMPTY = Object.fromEntries(TABLE_NAMES.map((name) => [name, []])) as unknown as State;

/** A state out of loaded rows; what was not loaded is empty: inherited, for there are many tables. */
export const stateOf = (rows: Partial<State>): State =>
  Object.assign(Object.create(EMPTY) as State, rows);

/** Who, what and on which thing (contract §12). */
export const scopeOf = (who: string, operation: string, targets: readonly string[] = []) =>
  [who, operation, ...targets].join(" ");

/** One client's one intention to write, so that a retry is recognised (contract §12). */
export interface Intent {
  /** Agent or address, operation, target. */
  scope: string;
  /** SHA-256 hex of the Idempotency-Key. */
  keyHash: string;
  /** SHA-256 hex of the request as canonical JSON. */
  requestHash: string;
}

/** An answer, and whether it is the repeat of one given before. */
export interface Reply<B> {
  body: B;
  replayed: boolean;
}

/**
 * What a rule answered now, or the part that is kept of what it answered before: enough to find
 * again what it is about. The whole answer would be stored twice, for as long as retries may come.
 */
export type OnceReply<B, K extends keyof B> =
  | { replayed: false; body: B }
  | { replayed: true; kept: Pick<B, K> };

/**
 * The same rule, at most once per intent: that it was answered is stored in the transaction that
 * makes it true. A refusal is thrown, so it stores nothing and the key stays free for the corrected
 * request.
 */
export function once<C, B extends object, K extends keyof B>(
  rule: Rule<C, B>,
  keep: readonly K[],
): Rule<C & { now: number; intent: Intent }, OnceReply<B, K>> {
  return {
    reads: (c) => [
      lock("idempotency", { scope: c.intent.scope, key_hash: c.intent.keyHash }),
      ...rule.reads(c),
    ],
    decide(c, state) {
      const stored = state.idempotency.find(
        (row) => row.scope === c.intent.scope && row.key_hash === c.intent.keyHash,
      );
      if (stored && stored.expires_at > c.now) {
        if (stored.request_hash !== c.intent.requestHash) {
          const detail =
            "This {idempotency_key} was used for another request. Use a new one for a new intent.";
          throw new MerchantError("IDEMPOTENCY_CONFLICT", detail);
        }
        const kept = JSON.parse(stored.reply) as Pick<B, K>;
        return { reply: { kept, replayed: true }, writes: [] };
      }
      const decision = rule.decide(c, state);
      const { reply: body, writes, room = ROOM.offers_bytes } = decision;
      if (decision.forGood) return { reply: { body, replayed: false }, writes };
      const row = {
        request_hash: c.intent.requestHash,
        reply: JSON.stringify(Object.fromEntries(keep.map((name) => [name, body[name]]))),
        expires_at: c.now + TIMES.idempotency_ms,
      };
      const key = { scope: c.intent.scope, key_hash: c.intent.keyHash };
      const remember = put("idempotency", stored, key, row);
      return { reply: { body, replayed: false }, writes: [remember, ...writes], room };
    },
  };
}
