import type { Context } from "./context.ts";
import { newId, newIds } from "./ids.ts";
import { sha256 } from "./sha256.ts";

/** Which interface the merchant came through; it stands in the audit log. */
export type Actor = "cli" | "desk";

/** What names one showing of a form at the desk, and what was typed into it. */
export type SentForm = readonly [form: string, ...typed: (string | number)[]];

export type Act = ReturnType<typeof actsOf>;
export type ActContext = ReturnType<Act>;

/**
 * Fresh ids and the hour, as every act of the merchant carries them. An act is three events at most, but
 * for canceling, which has ids of its own. The same form sent twice is one author's.
 */
export const actsOf =
  ({ clock }: Pick<Context, "clock">, actor: Actor) =>
  (sent?: SentForm) => {
    const now = clock();
    const id = sent ? `aud_${sha256(JSON.stringify(sent)).slice(0, 32)}` : newId("aud", now);
    return { now, eventIds: newIds("evt", now, 3), by: { id, actor } };
  };
