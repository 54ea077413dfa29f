import { bars } from "./bars.ts";
import { markdown, median, whole } from "./figures.ts";
import type { Fleet, Subject } from "./fleets.ts";
import type { Stretch } from "./messages.ts";
import type { Rounds } from "./rounds.ts";
import { BEANS } from "./shop.ts";

/** Medians of one fleet over all rounds. */
export interface Figure {
  subject: Subject;
  label: string;
  perSecond: number;
  slowestRound: number;
  fastestRound: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Results extends Rounds {
  machine: string;
  figures: Figure[];
}

export function figureOf({ subject, label }: Fleet, rounds: readonly Stretch[]): Figure {
  const rates = rounds.map(({ done, seconds }) => done / seconds);
  return {
    subject,
    label,
    perSecond: Math.round(median(rates)),
    slowestRound: Math.round(Math.min(...rates)),
    fastestRound: Math.round(Math.max(...rates)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

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
        .map((f) => [
          f.label,
          whole(f.perSecond),
          `${whole(f.slowestRound)}–${whole(f.fastestRound)}`,
          String(f.p50Ms),
          String(f.p99Ms),
        ]);
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
