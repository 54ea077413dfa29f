import { bars, type Panel } from "./bars.ts";
import type { Figure, Results } from "./results.ts";

const COLOURS: Record<string, string> = {
  group: "#8a4b1f",
  single: "#d9a066",
  express: "#8c8c8c",
  "in-process": "#c4c4c4",
};

/** The aim for CPU per quote, drawn as a line. */
const CPU_AIM_MS = 0.25;

const PANELS: Panel<Figure>[] = [
  {
    title: "Throughput",
    axis: "quotes per second (more is better)",
    value: (figure) => figure.perSecond,
    text: (figure) => figure.perSecond.toLocaleString("en-US"),
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

/** Throughput and cost of every variant of the quotes' benchmark. */
export const chart = (results: Results): string =>
  bars({
    name: "Quotes over HTTP: throughput and cost",
    title: "Quotes over HTTP: group commit and a transaction per request",
    footer: `Medians of ${results.rounds} interleaved rounds of ${results.seconds} s, ${results.connections} connections. ${results.machine}.`,
    figures: results.figures,
    describe: (f) => `${f.label}: ${f.perSecond} quotes per second, ${f.cpuMs} ms of CPU each`,
    colour: (figure) => COLOURS[figure.name.replace(/-\d+$/, "")] ?? "#8c8c8c",
    panels: PANELS,
  });
