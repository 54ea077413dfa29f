import { ApiError, missing } from "./errors.ts";
import type { Sessions } from "./sessions.ts";
import type { SandboxState } from "./state.ts";

export interface RouteContext {
  state: SandboxState;
  sessions: Sessions;
  baseUrl: string;
  now: number;
  /** Ids of what this request makes come from here. */
  seed: string;
  /** The id in the path, or "". */
  id: string;
  /** Of the merchant's account, in minor units; null where it covers everything. */
  balanceMinor: number | null;
  /** A refund beyond the balance is pending, and not refused. */
  takesWithoutBalance: boolean;
  /** How long a pending refund takes, in milliseconds. */
  delayMs: number;
}

/** A page of a list as Stripe cuts it. */
export function page<T extends { id: string }>(
  all: readonly T[],
  wanted: { limit: number; starting_after?: string | undefined },
  kind: string,
): { data: T[]; has_more: boolean } {
  const { limit, starting_after } = wanted;
  const at = starting_after === undefined ? -1 : all.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && at < 0) throw missing(kind, starting_after, "starting_after");
  const data = all.slice(at + 1, at + 1 + limit);
  return { data, has_more: at + 1 + data.length < all.length };
}

const EXPANDABLE = [
  "payment_intent",
  "payment_intent.latest_charge",
  "payment_intent.latest_charge.refunds",
];

/** `prefix`: lists expand below their `data`. */
export function expansion(paths: string[] = [], prefix = ""): Set<string> {
  const allowed = EXPANDABLE.map((path) => prefix + path);
  for (const path of paths) {
    if (!allowed.includes(path)) {
      throw new ApiError(400, `This property cannot be expanded (${path}).`, undefined, "expand");
    }
  }
  return new Set(paths.map((path) => path.slice(prefix.length)));
}
