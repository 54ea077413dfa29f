import { MerchantError } from "./errors.ts";
import { ROOM, TIMES } from "./policy.ts";
import { type NewRows, newRow, TABLE_NAMES, type TableName, type Tables } from "./records.ts";

/**
 * A rule names the rows it needs (`reads`), then decides over plain rows what to reply and write
 * (`decide`), without I/O: time, ids and random numbers come in with the command. A store runs a rule in
 * one transaction, and runs `decide` again after a lost race.
 */
export interface Rule<C, R> {
  reads(command: C): Read[];
  decide(command: C, state: State): Decision<R>;
}

export interface Decision<R> {
  reply: R;
  writes: Write[];
  /** The command is refused if the disk has fewer free bytes: `ROOM` in policy. */
  room?: number;
}

/** A rule without a reply: it returns writes, or throws. */
export const writeRule = <C>(rule: {
  reads(command: C): Read[];
  writes(command: C, state: State): Write[];
}): Rule<C, null> => ({
  reads: rule.reads,
  decide: (command, state) => ({ reply: null, writes: rule.writes(command, state) }),
});

/** Selects rows whose columns equal these values; an array stands for any of its values. */
export type Match<N extends TableName> = {
  [K in keyof Tables[N]]?: Tables[N][K] | readonly Tables[N][K][];
};

/** Rows to load. They are locked against change unless `lock` is false. */
export type Read = {
  [N in TableName]: { table: N; match: Match<N>; lock?: false };
}[TableName];

/** The rows that `reads` selected; other tables are empty. */
export type State = { readonly [N in TableName]: readonly Tables[N][] };

export type Insert = { [N in TableName]: { op: "insert"; table: N; row: Tables[N] } }[TableName];

/** Must change exactly one row: the one that `key` names and that still equals `expect`. */
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

/** Updates the known row under this key, or inserts a new one. */
export const put = <N extends TableName, K extends keyof Tables[N]>(
  table: N,
  known: Tables[N] | undefined,
  key: Pick<Tables[N], K>,
  rest: Omit<Tables[N], K>,
): Write =>
  known
    ? update(table, key as Partial<Tables[N]>, rest as unknown as Partial<Tables[N]>)
    : insert(table, { ...key, ...rest } as unknown as Tables[N]);

/** Sets the same values in each of these rows. */
export const updateEach = <N extends TableName>(
  table: N,
  rows: readonly { id: string }[],
  set: Partial<Tables[N]>,
): Write[] => rows.map(({ id }) => update(table, { id } as unknown as Partial<Tables[N]>, set));

/** Value of a setting; undefined before the first one. */
export const settingIn = ({ settings }: Pick<State, "settings">, name: string) =>
  settings.find((row) => row.name === name)?.value;

/** Writes a setting that was read under a lock. */
export function setSetting(s: Pick<State, "settings">, name: string, value: string) {
  const before = settingIn(s, name);
  return before === undefined
    ? insert("settings", { name, value })
    : update("settings", { name }, { value }, { value: before });
}

export const lock = <N extends TableName>(table: N, match: Match<N>): Read =>
  ({ table, match }) as Read;

/** Reads without locking: for rows that may change before the commit. */
export const readUnlocked = <N extends TableName>(table: N, match: Match<N>): Read =>
  ({ table, match, lock: false }) as Read;

const EMPTY = Object.fromEntries(TABLE_NAMES.map((name) => [name, []])) as unknown as State;

/** Builds a state from loaded rows. The other tables are inherited and empty. */
export const stateOf = (rows: Partial<State>): State =>
  Object.assign(Object.create(EMPTY) as State, rows);

/** Scope of an idempotency key: caller, operation and targets (contract §12). */
export const scopeOf = (who: string, operation: string, targets: readonly string[] = []) =>
  [who, operation, ...targets].join(" ");

/** One client's intent to write, which identifies retries (contract §12). */
export interface Intent {
  /** Agent or address, operation, target. */
  scope: string;
  /** SHA-256 hex of the Idempotency-Key. */
  keyHash: string;
  /** SHA-256 hex of the request as canonical JSON. */
  requestHash: string;
  /** Set for a key that anybody could choose: a repeat is decided anew, another request is still a conflict. */
  guessable?: boolean;
}

/** An answer, and whether it repeats an earlier one. */
export interface Reply<B> {
  body: B;
  replayed: boolean;
}

/**
 * A new answer, or the stored part of the earlier one, from which the rest is rebuilt. Whole answers
 * would double the stored data.
 */
export type OnceReply<B, K extends keyof B> =
  | { replayed: false; body: B }
  | { replayed: true; kept: Pick<B, K> };

/**
 * Runs a rule at most once per intent: `keep` of its answer is stored in the same transaction. A refusal
 * is thrown and stores nothing, so the key stays free for the corrected request.
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
            "This idempotency key was used for another request. Use a new one for a new intent.";
          throw new MerchantError("IDEMPOTENCY_CONFLICT", detail);
        }
        if (!c.intent.guessable) {
          const kept = JSON.parse(stored.reply) as Pick<B, K>;
          return { reply: { kept, replayed: true }, writes: [] };
        }
      }
      const { reply: body, writes, room = ROOM.offers_bytes } = rule.decide(c, state);
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
