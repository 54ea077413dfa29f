import { writeFile } from "node:fs/promises";
import { bars, type Panel } from "./bars.ts";
import { machine, markdown, median, whole } from "./figures.ts";
import type { Begun, Way } from "./start-process.ts";
import type { Memory } from "./start-quotes.ts";

/** A command, from the sources or built. */
export interface Subject {
  label: string;
  way?: Way;
  /** How long it takes to its first answer, in milliseconds. */
  start(): Promise<number>;
  /** Begins it, to be looked at when it rests. */
  rest?(): Promise<Begun>;
}

interface Figure extends Pick<Subject, "label" | "way"> {
  ms: number;
  fastest: number;
  /** Of the same from the sources. */
  ratio: number;
  /** Megabytes at rest. */
  mb: number;
}

export function resultsOf(
  taken: ReadonlyMap<Subject, readonly number[]>,
  memory: ReadonlyMap<Subject, number>,
): Figure[] {
  return [...taken].map(([subject, times]) => {
    const { label, way } = subject;
    const ms = median(times);
    const [, source] = [...taken].find(([one]) => one.label === label && way !== undefined) ?? [];
    return {
      label: way ? `${label}, ${way}` : label,
      ...(way && { way }),
      ms,
      fastest: Math.min(...times),
      ratio: source ? ms / median(source) : 0,
      mb: memory.get(subject) ?? 0,
    };
  });
}

const PANELS: Panel<Figure>[] = [
  {
    title: "Time to the first answer",
    axis: "milliseconds (less is better)",
    value: ({ ms }) => ms,
    text: ({ ms }) => ms.toFixed(0),
    scales: () => true,
  },
  {
    title: "Memory at rest",
    axis: "MB resident (aim: 110 or less)",
    value: ({ mb }) => mb,
    text: ({ mb }) => (mb > 0 ? mb.toFixed(0) : ""),
    scales: () => true,
    aim: 110,
  },
];

const COLOURS = { built: "#8a4b1f", source: "#d9a066", node: "#8c8c8c" };

/** Draws the figures into bench/start.svg; answers them as a Markdown table. */
export async function writeStarts(
  rounds: number,
  figures: readonly Figure[],
  after: readonly Memory[],
): Promise<string> {
  const footer = `Medians of ${rounds} starts each, in turns, on a database that is there. ${machine()}.`;
  const picture = bars({
    name: "From the command to the first answer, and memory at rest",
    title: "Starting: from the sources, and built",
    footer,
    figures,
    describe: ({ label, ms, mb }) =>
      `${label}: ${ms.toFixed(0)} ms${mb > 0 ? `, ${mb.toFixed(0)} MB` : ""}`,
    colour: ({ way }) => COLOURS[way ?? "node"],
    panels: PANELS,
  });
  await writeFile(new URL("start.svg", import.meta.url), picture);
  const rows = figures.map(({ label, ms, fastest, ratio, mb }) => [
    label,
    ms.toFixed(0),
    fastest.toFixed(0),
    ratio ? ratio.toFixed(2) : "",
    mb ? mb.toFixed(0) : "",
  ]);
  const memory = after.map(({ quotes, mb }) => [whole(quotes), mb.toFixed(0)]);
  return [
    markdown(["", "median ms", "fastest", "of the source", "MB at rest"], rows),
    ...(memory.length > 0 ? [markdown(["quotes made", "MB resident"], memory)] : []),
    `${footer}\n`,
  ].join("\n");
}
