import { cpus } from "node:os";
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
  machine: string;
  node: string;
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
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    node: process.version,
    rounds: plan.rounds,
    seconds: plan.seconds,
    connections: plan.connections,
    figures,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const round = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** The figures as a table for a terminal; Markdown, so that it can be pasted as it is. */
export function table({ figures, machine, node, rounds, seconds, connections }: Results): string {
  const whole = (value: number) => value.toLocaleString("en-US");
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
  const widths = head.map((_, c) => Math.max(...[head, ...rows].map((row) => row[c]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!))).join(" | ")} |`;
  const rule = line(widths.map((w, c) => (c === 0 ? "-".repeat(w) : `${"-".repeat(w - 1)}:`)));
  return [
    line(head),
    rule,
    ...rows.map(line),
    "",
    `Medians of ${rounds} interleaved rounds of ${seconds} s, ${connections} connections; ${machine}, Node ${node}.`,
    '"of single": of a transaction per request on the same disk, in the same round.',
    "",
  ].join("\n");
}
