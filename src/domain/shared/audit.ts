import { insert, type Write } from "./command.ts";

/** Who acts for the merchant: a fresh id for the entry, and the interface, "cli" or "desk". */
export interface AuditAuthor {
  id: string;
  actor: string;
}

/** What every command of the merchant carries. */
export interface MerchantAct {
  now: number;
  by: AuditAuthor;
}

/** Every act of the merchant is an entry of the audit log, in the act's transaction (contract §15). */
export const audited = (
  { now: at, by }: MerchantAct,
  act: string,
  subject: string,
  detail: Record<string, unknown> = {},
): Write => insert("audit", { ...by, act, subject, detail: JSON.stringify(detail), at });
