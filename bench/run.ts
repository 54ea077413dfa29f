import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { chart } from "./chart.ts";
import { measure, type Plan } from "./measure.ts";
import { atLeast } from "./options.ts";
import { createProgress } from "./progress.ts";
import { summarize, table } from "./results.ts";
import { variants } from "./variants.ts";

/**
 * `npm run bench`: quotes per second and CPU per quote over HTTP with group commit, beside a
 * transaction per request, a bare Express route and the same without HTTP, all in one run.
 */
const command = new Command("bench")
  .description("Measures quotes over HTTP; writes bench/quotes.json and bench/quotes.svg.")
  .option("--seconds <n>", "load on one variant in one round", atLeast(1), 4)
  .option("--rounds <n>", "how often each variant is measured", atLeast(1), 5)
  .option("--connections <n>", "requests in flight", atLeast(1), 64)
  .option("--fsync <ms...>", "what slower disks add to each commit", ["1", "5"])
  .option("--only <name...>", "only these variants, such as group-0; writes no files")
  .option("--profile <folder>", "a CPU profile of every server, for the eye of a profiler")
  .parse();

interface Options {
  seconds: number;
  rounds: number;
  connections: number;
  fsync: string[];
  only?: string[];
  profile?: string;
}

const options = command.opts<Options>();
const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
const all = variants([0, ...options.fsync.map(atLeast(0.1))]);
const plan: Plan = {
  variants: all.filter(({ name }) => options.only?.includes(name) ?? true),
  rounds: options.rounds,
  seconds: options.seconds,
  connections: options.connections,
  folder,
  profileTo: options.profile,
};
const progress = createProgress(plan.variants.length * (plan.rounds + 1));
try {
  const samples = await measure(plan, progress);
  progress.done();
  const results = summarize(plan, samples);
  process.stdout.write(table(results));
  if (!options.only) {
    const json = `${JSON.stringify(results, null, 2)}\n`;
    await writeFile(new URL("quotes.json", import.meta.url), json);
    await writeFile(new URL("quotes.svg", import.meta.url), chart(results));
    process.stdout.write("Drawn in bench/quotes.svg.\n");
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
