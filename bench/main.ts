import { cpus } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { checkOut } from "./checkout.ts";
import { calls, compare } from "./http.ts";
import { type Bench, benchmark, type Plan, type Row } from "./measure.ts";
import { lot, purchase } from "./purchases.ts";

/** `npm run bench`: prints one Markdown table. docs/benchmarks.md describes the method. */
const SECTIONS = { calls, purchase, lot };
type Section = keyof typeof SECTIONS;

const atLeast1 = (text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 1) return value;
  throw new InvalidArgumentError("Use a number from 1.");
};
const isSection = (name: string): name is Section => Object.hasOwn(SECTIONS, name);

const names = Object.keys(SECTIONS);
const program = new Command("npm run bench --")
  .description("Measures side by side and prints a Markdown table.")
  .argument("[sections...]", `any of ${names.join(", ")}; default: all`)
  .option("--seconds <n>", "load per measurement", atLeast1, 3)
  .option("--rounds <n>", "measurements of each subject", atLeast1, 5)
  .option("--connections <n>", "requests in flight", atLeast1, 64)
  .option("--buyers <n>", "buyers of the lot, three for each bag", atLeast1, 1500)
  .action((chosen: string[]) => {
    const unknown = chosen.find((name) => !isSection(name));
    if (unknown) program.error(`error: unknown section ${unknown}; use ${names.join(", ")}`);
    const sections = chosen.length > 0 ? chosen : names;
    return print(sections.filter(isSection).map((name) => SECTIONS[name]));
  });
program
  .command("compare <commit>")
  .description("compares CPU per call with another commit, built in a temporary folder")
  .action((commit: string) => print([compare(checkOut(commit))]));
await program.parseAsync();
process.exit();

async function print(sections: readonly ((bench: Bench) => Promise<Row[]>)[]): Promise<void> {
  const plan = program.opts<Plan>();
  const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
  line(["Measurement", "Median", "Ratio", "Compared with"]);
  line(["---", "---", "--:", "---"]);
  for (const section of sections) {
    for (const row of await benchmark(plan, section)) line(row);
  }
  const { rounds, seconds, connections } = plan;
  process.stdout.write(
    `\n${rounds} rounds of ${seconds} s, ${connections} connections. ` +
      `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}.\n`,
  );
}
