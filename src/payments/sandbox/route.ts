import type { z } from "zod";
import { ApiError, missing } from "./errors.ts";
import type { Interference } from "./interference.ts";
import { parse } from "./params.ts";
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
  interference: Interference;
  /** How long a pending refund takes, in milliseconds. */
  delayMs: number;
}

/** One of the few Stripe endpoints that our provider calls. */
export interface Route {
  method: string;
  path: RegExp;
  /** Checks the parameters and binds them: what is left needs only the context. */
  bind: (input: unknown) => (context: RouteContext) => Promise<object>;
}

/** `at`: method and path, where ":id" stands for any id. */
export function route<S extends z.ZodType>(
  at: string,
  schema: S,
  run: (input: z.output<S>, context: RouteContext) => Promise<object>,
): Route {
  const [method = "", path = ""] = at.split(" ");
  return {
    method,
    path: new RegExp(`^${path.replace(":id", "([^/]+)")}$`),
    bind(input) {
      const parsed = parse(schema, input);
      return (context) => run(parsed, context);
    },
  };
}

export function page<T extends { id: string }>(
  all: readonly T[],
  wanted: { limit: number; starting_after?: string | undefined },
  { kind, url }: { kind: string; url: string },
) {
  const { limit, starting_after } = wanted;
  const at = starting_after === undefined ? -1 : all.findIndex(({ id }) => id === starting_after);
  if (starting_after !== undefined && at < 0) throw missing(kind, starting_after, "starting_after");
  const data = all.slice(at + 1, at + 1 + limit);
  return { object: "list" as const, url, data, has_more: at + 1 + data.length < all.length };
}

/** What can be written out of a session's payment and not only named, each deeper than the last. */
const EXPANDABLE = [
  "payment_intent",
  "payment_intent.latest_charge",
  "payment_intent.latest_charge.refunds",
];

/** How deep the payment is written out; 0: not at all. `prefix`: lists expand below their `data`. */
export function expansion(paths: readonly string[] = [], prefix = ""): number {
  const depths = paths.map((path) => {
    const depth = EXPANDABLE.findIndex((known) => path === prefix + known) + 1;
    if (depth > 0) return depth;
    throw new ApiError(400, `This property cannot be expanded (${path}).`, undefined, "expand");
  });
  return Math.max(0, ...depths);
}
