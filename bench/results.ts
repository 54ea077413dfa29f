import { bars, type Panel } from "./bars.ts";
import {
  figureOf,
  machine,
  markdown,
  median,
  type Figure as Rates,
  rangeOf,
  rate,
  rounded,
  whole,
} from "./figures.ts";
import type { Sample } from "./messages.ts";
import type { Plan } from "./options.ts";
import type { Variant } from "./variants.ts";

interface Figure extends Rates, Pick<Variant, "name" | "kind" | "fsyncMs"> {
  cpuMs: number;
  /** How many times a transaction per request on the same disk; the bounds have this disk's. */
  timesSingle: number;
}

export interface Results extends Plan {
  /** Processors and the version of Node. */
  machine: string;
  figures: Figure[];
}

/** Medians of every variant over all rounds. */
export function summarize(
  { seconds, rounds, connections }: Plan,
  samples: ReadonlyMap<Variant, readonly Sample[]>,
): Results {
  const figures = [...samples].map(([variant, own]): Figure => {
    const { name, kind, fsyncMs } = variant;
    const [, single = []] = [...samples].find(([{ name }]) => name === `single-${fsyncMs}`) ?? [];
    const times = own.map((one, i) => rate(one) / (single[i] ? rate(single[i]) : Number.NaN));
    return {
      name,
      kind,
      fsyncMs,
      ...figureOf(variant, own),
      cpuMs: rounded(median(own.map(({ cpuMs }) => cpuMs)), 3),
      timesSingle: rounded(median(times)),
    };
  });
  return { machine: machine(), rounds, seconds, connections, figures };
}

const measuredBy = ({ machine, rounds, seconds, connections }: Results): string =>
  `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections. ${machine}.`;

export function table(results: Results): string {
  const rows = results.figures.map((f) => [
    f.label,
    whole(f.perSecond),
    rangeOf(f),
    Number.isNaN(f.timesSingle) ? "" : `${f.timesSingle.toFixed(1)}×`,
    f.cpuMs.toFixed(3),
    f.p50Ms.toFixed(1),
    f.p99Ms.toFixed(1),
  ]);
  const head = ["", "quotes/s", "rounds", "of single", "CPU ms each", "p50 ms", "p99 ms"];
  return `${markdown(head, rows)}
${measuredBy(results)}
"of single": of a transaction per request on the same disk, in the same round.
`;
}

const COLOURS: Record<string, string> = {
  group: "#8a4b1f",
  single: "#d9a066",
  express: "#8c8c8c",
  operation: "#a8a8a8",
  verb: "#c4c4c4",
};

/** The aim for CPU per quote, drawn as a line. */
const CPU_AIM_MS = 0.25;

const PANELS: Panel<Figure>[] = [
  {
    title: "Throughput",
    axis: "quotes per second (more is better)",
    value: (figure) => figure.perSecond,
    text: (figure) => whole(figure.perSecond),
    scales: (figure) => figure.kind !== "express",
  },
  {
    title: "Cost",
    axis: `server CPU ms per quote (aim: ${CPU_AIM_MS} or less)`,
    value: (figure) => figure.cpuMs,
    text: (figure) => figure.cpuMs.toFixed(3),
    scales: () => true,
    aim: CPU_AIM_MS,
  },
];

/** Throughput and cost of every variant. */
export const chart = (results: Results): string =>
  bars({
    name: "Quotes over HTTP: throughput and cost",
    title: "Quotes over HTTP: group commit and a transaction per request",
    footer: measuredBy(results),
    figures: results.figures,
    describe: (f) => `${f.label}: ${f.perSecond} quotes per second, ${f.cpuMs} ms of CPU each`,
    colour: (figure) => COLOURS[figure.name.replace(/-\d+$/, "")] ?? "#8c8c8c",
    panels: PANELS,
  });
