import { writeFile } from "node:fs/promises";
import { bars, type Panel } from "./bars.ts";
import { machine, markdown, median, whole } from "./figures.ts";
import type { Memory } from "./start-quotes.ts";

export interface Starts {
  rounds: number;
  /** Milliseconds of every start, by "what way". */
  taken: Record<string, number[]>;
  /** Megabytes at rest. */
  idle: { source: number; built: number };
  stdio: { source: number; built: number };
  after: Memory[];
}

interface Figure {
  label: string;
  name: string;
  ms: number;
  fastest: number;
  /** Of the same from the sources. */
  ratio: number;
  mb: number;
}

const COMMANDS = {
  stdio: "stdio → first tools/list",
  start: "npm start → /readyz",
  merchant: "merchant orders list",
};

function figures({ taken, idle, stdio }: Starts): Figure[] {
  const memory = { stdio, start: idle, merchant: { source: 0, built: 0 } };
  const of = (name: string) => median(taken[name] ?? []);
  const nothing = of("node -e 0");
  const rows = Object.entries(COMMANDS).flatMap(([command, label]) =>
    (["source", "built"] as const).map((way): Figure => {
      const name = `${command} ${way}`;
      return {
        label: `${label}, ${way}`,
        name,
        ms: of(name),
        fastest: Math.min(...(taken[name] ?? [])),
        ratio: of(name) / of(`${command} source`),
        mb: memory[command as keyof typeof memory][way],
      };
    }),
  );
  const bare = { label: "node -e 0", name: "node", ms: nothing, ratio: 0, mb: 0 };
  return [...rows, { ...bare, fastest: Math.min(...(taken["node -e 0"] ?? [])) }];
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

/** Draws the figures into bench/start.svg; answers them as a Markdown table. */
export async function writeStarts(starts: Starts): Promise<string> {
  const all = figures(starts);
  const footer = `Medians of ${starts.rounds} starts each, in turns, on a database that is there. ${machine()}.`;
  const picture = bars({
    name: "From the command to the first answer, and memory at rest",
    title: "Starting: from the sources, and built",
    footer,
    figures: all,
    describe: ({ label, ms, mb }) =>
      `${label}: ${ms.toFixed(0)} ms${mb > 0 ? `, ${mb.toFixed(0)} MB` : ""}`,
    colour: ({ name }) =>
      name.endsWith("built") ? "#8a4b1f" : name === "node" ? "#8c8c8c" : "#d9a066",
    panels: PANELS,
  });
  await writeFile(new URL("start.svg", import.meta.url), picture);
  const rows = all.map(({ label, ms, fastest, ratio, mb }) => [
    label,
    ms.toFixed(0),
    fastest.toFixed(0),
    ratio ? ratio.toFixed(2) : "",
    mb ? mb.toFixed(0) : "",
  ]);
  const memory = starts.after.map(({ quotes, mb }) => [whole(quotes), mb.toFixed(0)]);
  return [
    markdown(["", "median ms", "fastest", "of the source", "MB at rest"], rows),
    ...(memory.length > 0 ? [markdown(["quotes made", "MB resident"], memory)] : []),
    `${footer}\n`,
  ].join("\n");
}
