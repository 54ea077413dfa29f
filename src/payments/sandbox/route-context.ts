import { ApiError } from "./errors.ts";
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
}

const EXPANDABLE = ["payment_intent", "payment_intent.latest_charge"];

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
