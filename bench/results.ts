import { machine, markdown, median, whole } from "./figures.ts";
import type { Plan, Sample } from "./measure.ts";
import type { Variant } from "./variants.ts";

/** Medians of one variant over all rounds. */
export interface Figure {
  name: string;
  label: string;
  kind: Variant["kind"];
  fsyncMs: number;
  perSecond: number;
  slowestRound: number;
  fastestRound: number;
  p50Ms: number;
  p99Ms: number;
  cpuMs: number;
  /** How many times a transaction per request on the same disk; the bounds have this disk's. */
  timesSingle: number;
}

export interface Results {
  /** Processors and the version of Node. */
  machine: string;
  rounds: number;
  seconds: number;
  connections: number;
  figures: Figure[];
}

export function summarize(plan: Plan, samples: Map<string, Sample[]>): Results {
  const of = (name: string) => samples.get(name) ?? [];
  const figures = plan.variants.map((variant): Figure => {
    const rounds = of(variant.name);
    const rates = rounds.map((sample) => sample.perSecond);
    const single = of(`single-${variant.fsyncMs}`).map((sample) => sample.perSecond);
    return {
      name: variant.name,
      label: variant.label,
      kind: variant.kind,
      fsyncMs: variant.fsyncMs,
      perSecond: Math.round(median(rates)),
      slowestRound: Math.round(Math.min(...rates)),
      fastestRound: Math.round(Math.max(...rates)),
      p50Ms: round(median(rounds.map((sample) => sample.p50Ms))),
      p99Ms: round(median(rounds.map((sample) => sample.p99Ms))),
      cpuMs: round(median(rounds.map((sample) => sample.cpuMs)), 3),
      timesSingle: round(median(rates.map((rate, i) => rate / (single[i] ?? Number.NaN)))),
    };
  });
  return {
    machine: machine(),
    rounds: plan.rounds,
    seconds: plan.seconds,
    connections: plan.connections,
    figures,
  };
}

const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

export function table({ figures, machine, rounds, seconds, connections }: Results): string {
  const rows = figures.map((f) => [
    f.label,
    whole(f.perSecond),
    `${whole(f.slowestRound)}–${whole(f.fastestRound)}`,
    `${f.timesSingle.toFixed(1)}×`,
    f.cpuMs.toFixed(3),
    f.p50Ms.toFixed(1),
    f.p99Ms.toFixed(1),
  ]);
  const head = ["", "quotes/s", "rounds", "of single", "CPU ms each", "p50 ms", "p99 ms"];
  return `${markdown(head, rows)}
Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${machine}.
"of single": of a transaction per request on the same disk, in the same round.
`;
}
