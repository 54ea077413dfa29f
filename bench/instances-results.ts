import { bars } from "./bars.ts";
import { figureOf, machine, markdown, type Figure as Rates, rangeOf, whole } from "./figures.ts";
import type { Fleet, Subject } from "./fleets.ts";
import type { Stretch } from "./messages.ts";
import type { Plan } from "./options.ts";
import { BEANS } from "./shop.ts";

interface Figure extends Rates {
  subject: Subject;
}

interface Results extends Plan {
  machine: string;
  figures: Figure[];
}

/** Medians of every fleet over all rounds. */
export const resultsOf = (
  plan: Plan,
  samples: ReadonlyMap<Fleet, readonly Stretch[]>,
): Results => ({
  machine: machine(),
  ...plan,
  figures: [...samples].map(([fleet, own]) => ({
    subject: fleet.subject,
    ...figureOf(fleet, own),
  })),
});

const SUBJECTS: Record<Subject, { column: string; heading: string }> = {
  quotes: {
    column: "quotes/s",
    heading: "Quotes, by one API key (hot rows) or a key an instance (spread rows)",
  },
  payments: {
    column: "payments started/s",
    heading: `Payments started, on one bean (hot row) or ${BEANS.length} (spread rows)`,
  },
};

export const table = ({ figures }: Results): string =>
  (["quotes", "payments"] as const)
    .map((subject) => {
      const rows = figures
        .filter((figure) => figure.subject === subject)
        .map((f) => [f.label, whole(f.perSecond), rangeOf(f), String(f.p50Ms), String(f.p99Ms)]);
      return markdown(["", SUBJECTS[subject].column, "rounds", "p50 ms", "p99 ms"], rows);
    })
    .join("\n");

export const chart = ({ figures, ...about }: Results): string =>
  bars<Figure>({
    name: "Quotes and payments on PostgreSQL: throughput and waiting",
    title: "Over HTTP: instances on PostgreSQL beside one process on SQLite",
    footer: [
      `Medians of ${about.rounds} interleaved rounds of ${about.seconds} s,`,
      `${about.connections} connections. ${about.machine}, shared by load, instances and database.`,
      "The payment provider answers at once.",
    ].join(" "),
    figures,
    heading: ({ subject }) => SUBJECTS[subject].heading,
    describe: (f) => `${f.label}: ${f.perSecond} ${f.subject} per second, p99 ${f.p99Ms} ms`,
    colour: (f) => (f.label.startsWith("SQLite") ? "#8a4b1f" : "#4f7ca8"),
    panels: [
      {
        title: "Throughput",
        axis: "per second (more is better)",
        value: (f) => f.perSecond,
        text: (f) => whole(f.perSecond),
        scales: () => true,
      },
      {
        title: "Waiting",
        axis: "p99 in ms (less is better)",
        value: (f) => f.p99Ms,
        text: (f) => String(f.p99Ms),
        scales: () => true,
      },
    ],
  });
