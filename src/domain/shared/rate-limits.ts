/** A limit by name: how many in how many seconds, counted by key or by client address (contract §14). */
export interface Limit {
  by: "key" | "address";
  points: number;
  seconds: number;
  /** Counted across all instances, in the store; the others per instance, in memory. */
  shared?: true;
}

export const LIMIT_TABLE = {
  register_hour: { by: "address", points: 5, seconds: 3600, shared: true },
  register_day: { by: "address", points: 20, seconds: 86_400, shared: true },
  key: { by: "key", points: 120, seconds: 60 },
  quotes: { by: "key", points: 30, seconds: 60 },
  checkout: { by: "key", points: 10, seconds: 60 },
  feedback: { by: "key", points: 5, seconds: 3600 },
  leads: { by: "key", points: 5, seconds: 3600 },
  ask: { by: "address", points: 30, seconds: 60 },
  quick_checkout: { by: "address", points: 20, seconds: 60 },
  catalog: { by: "address", points: 120, seconds: 60 },
  desk_sign_in: { by: "address", points: 5, seconds: 60 },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMIT_TABLE;

/** "30 per minute per key": what /agent-info and registration publish. */
export function publishedLimits(): Record<string, string> {
  const words = { 60: "minute", 3600: "hour", 86400: "day" };
  return Object.fromEntries(
    Object.entries(LIMIT_TABLE).map(([name, { by, points, seconds }]) => [
      name,
      `${points} per ${words[seconds]} per ${by}`,
    ]),
  );
}
