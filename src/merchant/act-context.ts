import type { Context } from "./context.ts";
import { newId, newIds } from "./ids.ts";

/** Which interface the merchant came through; it stands in the audit log. */
export type Actor = "cli" | "desk";

export type ActContext = ReturnType<typeof actContext>;

/** Fresh ids and the hour, as every act of the merchant carries them. An act is three events at most. */
export function actContext({ clock }: Pick<Context, "clock">, actor: Actor) {
  const now = clock();
  return { now, eventIds: newIds("evt", now, 3), by: { id: newId("aud", now), actor } };
}
