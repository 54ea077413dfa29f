/** What a limit counts by: one counter for each key, client address (an IPv6 caller's /64) or link. */
type LimitSubject = "key" | "address" | "link" | "all";

/** A limit by name: how many in how many seconds (contract §14). */
export interface Limit {
  by: LimitSubject;
  points: number;
  seconds: number;
  /**
   * Counts what was newly made, not what was asked: a refusal or a retry costs nothing. Counted across
   * all instances, in the store; the others per instance, in memory.
   */
  made?: true;
  /** Counts the bytes of requests instead of requests: what is kept for long has a budget. */
  bytes?: true;
  /** Counts different buyers of whom the answer tells whether they have bought here. */
  buyers?: true;
}

export const LIMIT_TABLE = {
  register_hour: { by: "address", points: 5, seconds: 3600, made: true },
  register_day: { by: "address", points: 20, seconds: 86_400, made: true },
  register_attempts: { by: "address", points: 60, seconds: 60 },
  key: { by: "key", points: 120, seconds: 60 },
  quotes: { by: "key", points: 30, seconds: 60 },
  quote_bytes: { by: "key", points: 4 * 1024 * 1024, seconds: 86_400, bytes: true },
  courtesy_buyers: { by: "key", points: 50, seconds: 86_400, buyers: true },
  checkout: { by: "key", points: 10, seconds: 60 },
  waitlist: { by: "key", points: 10, seconds: 3600 },
  feedback: { by: "key", points: 5, seconds: 3600 },
  leads: { by: "key", points: 5, seconds: 3600 },
  ask: { by: "address", points: 30, seconds: 60 },
  quick_checkout: { by: "address", points: 20, seconds: 60 },
  catalog: { by: "address", points: 120, seconds: 60 },
  /** Every message to /mcp, each entry of a batch, beside the limit of what it calls. */
  mcp: { by: "address", points: 240, seconds: 60 },
  pay: { by: "link", points: 10, seconds: 60 },
  desk_sign_in: { by: "address", points: 5, seconds: 60 },
  desk_sign_in_total: { by: "all", points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

export const limitOf = (name: LimitName): Limit => LIMIT_TABLE[name];

/** "30", or "50 buyers" where it is not requests that are counted. */
export const countOf = ({ points, bytes, buyers }: Omit<Limit, "by" | "seconds">): string =>
  `${points}${bytes ? " bytes" : buyers ? " buyers" : ""}`;

/** "30 per minute per key": what /agent-info publishes of all limits, and registration of a purchase's. */
export function publishedLimits(
  names = Object.keys(LIMIT_TABLE) as LimitName[],
): Record<string, string> {
  const words: Record<number, string> = { 60: "minute", 3600: "hour", 86400: "day" };
  return Object.fromEntries(
    names.map((name) => {
      const { by, seconds, ...limit } = limitOf(name);
      const each = by === "all" ? "in all" : `per ${by}`;
      return [name, `${countOf(limit)} per ${words[seconds]} ${each}`];
    }),
  );
}
