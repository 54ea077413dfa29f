import { insert, lock, type Read, type State, type Write } from "./command.ts";
import { illegalStep } from "./errors.ts";

/** Part of every command of the merchant. */
export interface MerchantAct {
  now: number;
  /** Id of the entry in the audit log, and the interface, "cli" or "desk". */
  by: { id: string; actor: string };
}

/** Every act of the merchant is an entry of the audit log, in the act's transaction (contract §15). */
export const audited = (
  { now: at, by }: MerchantAct,
  act: string,
  subject: string,
  detail: Record<string, unknown> = {},
): Write => insert("audit", { ...by, act, subject, detail: JSON.stringify(detail), at });

/**
 * Refuses a form of a page that showed another version. `seen` is the version that the page showed, or
 * undefined for an act without a page.
 */
export function refuseIfChangedSince<V>(seen: V | undefined, version: V, what: string): void {
  if (seen === undefined || seen === version) return;
  throw illegalStep(
    `${what} has changed since you opened this page. Check it, then send the form again.`,
  );
}

/** For acts that add something: a form sent twice has the same id, so its entry is already in the log. */
export const entryOf = ({ by }: MerchantAct): Read => lock("audit", { id: by.id });

export const isInLog = ({ audit }: Pick<State, "audit">): boolean => audit.length > 0;
