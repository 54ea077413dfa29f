import type { CheckoutState } from "../../src/payments/provider.ts";
import type { Books } from "../support/books.ts";
import type { Outcome } from "./people.ts";
import type { Plan } from "./plan.ts";
import type { Trouble } from "./provider.ts";

export interface Audit {
  books: Books;
  incidents: string[];
  problems: string[];
}

export interface Result {
  figures: [label: string, value: string | number][];
  problems: string[];
}

interface Parts {
  plan: Plan;
  outcomes: Outcome[];
  sessions: CheckoutState[];
  audit: Audit;
  trouble: Trouble;
  kills: number;
  realMs: number;
  virtualMs: number;
}

/** Figures of a run: purchases, their results, and the failures on the way. */
export function figuresOf(run: Parts): Result {
  const { plan, outcomes, sessions, audit, trouble } = run;
  const { books, incidents, problems } = audit;
  const paid = sessions.filter((session) => session.payment === "paid");
  const refs = new Set(books.orders.map((order) => order.payment_ref));
  const kept = paid.filter((session) => refs.has(session.paymentRef ?? ""));
  const quotesPaid = books.quote_states.filter((state) => state.status === "PAID");
  const replaced = books.attempts.filter((attempt) => attempt.outcome === "REPLACED");
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
  const kinds = Map.groupBy(incidents, (kind) => kind);
  const orders = books.orders.length;
  const even = orders === kept.length && orders === quotesPaid.length;
  return {
    problems: [...problems, ...(even ? [] : ["orders, payments kept and paid quotes differ"])],
    figures: [
      ["seed", plan.seed],
      ["purchases tried", plan.purchases.length],
      ["orders = payments kept = quotes paid", `${orders} = ${kept.length} = ${quotesPaid.length}`],
      ["payments returned whole", paid.length - kept.length],
      ["orders, as the merchant left them", byStatus(books.orders)],
      ["cancel requests", byStatus(books.cancel_requests)],
      ["refunds", byStatus(books.refunds)],
      ["disputes", byStatus(books.disputes)],
      ["buyers who did not pay", count("not paid")],
      ["not to be had, or still waiting", count("not to be had") + count("waits")],
      ["payment pages made", sessions.length],
      ["pages that a newer press took over", replaced.length],
      ["events written", books.events.length],
      ["webhooks taken, all settled", books.webhooks.length],
      ["webhooks lost, doubled, late", `${trouble.lost}, ${trouble.doubled}, ${trouble.late}`],
      ["provider calls that failed", trouble.api],
      ["captures and releases refused", trouble.refusals],
      ["kill -9", run.kills],
      ["incidents", [...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(", ") || "none"],
      ["time", `${hours(run.virtualMs)} h in ${Math.round(run.realMs / 100) / 10} s`],
    ],
  };
}

/** "12 DONE, 3 FAILED" */
function byStatus(rows: readonly { status: string }[]): string {
  const all = [...Map.groupBy(rows, ({ status }) => status)];
  return all.map(([status, some]) => `${some.length} ${status}`).join(", ") || "none";
}

const hours = (ms: number): number => Math.round(ms / 3_600_000);

export function table({ figures }: Result): string {
  const width = Math.max(...figures.map(([label]) => label.length));
  return figures.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join("\n");
}
