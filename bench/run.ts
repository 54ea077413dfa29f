import { join } from "node:path";
import { type Bench, benchmark } from "./benchmark.ts";
import { type Child, withCpu } from "./child.ts";
import { keep } from "./figures.ts";
import type { Stretch, Target } from "./messages.ts";
import { atLeast, type Plan, planned } from "./options.ts";
import { chart, summarize, table } from "./results.ts";
import { inRounds } from "./rounds.ts";
import { type Variant, variants } from "./variants.ts";

/**
 * `npm run bench`: quotes per second and CPU per quote over HTTP with group commit, beside a
 * transaction per request, a bare Express route and the same in process, all in one run.
 */
const options = planned(
  "bench",
  "Measures quotes over HTTP; writes bench/quotes.json and bench/quotes.svg.",
  { seconds: 4, rounds: 5, connections: 64 },
)
  .option("--fsync <ms...>", "what slower disks add to each commit", ["1", "5"])
  .option("--only <name...>", "only these variants, such as group-0; writes no files")
  .option("--profile <folder>", "a CPU profile of every server, for the eye of a profiler")
  .parse()
  .opts<Plan & { fsync: string[]; only?: string[]; profile?: string }>();

interface Subject extends Variant {
  server: Child;
  target: Target;
}

async function open({ folder, start }: Bench, variant: Variant): Promise<Subject> {
  const server = start("./server.ts", { profileTo: options.profile });
  const file = join(folder, `${variant.name}.db`);
  const target = await server.ask<Target>({ do: "open", variant, file });
  return { ...variant, server, target };
}

await benchmark(async (bench) => {
  const all = variants([0, ...options.fsync.map(atLeast(0.1))]);
  const subjects: Subject[] = [];
  for (const variant of all) {
    if (options.only?.includes(variant.name) ?? true) subjects.push(await open(bench, variant));
  }
  const loader = bench.start("./load.ts");
  const { connections } = options;
  const samples = await inRounds(subjects, options, ({ kind, server, target }, seconds) =>
    withCpu(server, () =>
      kind === "verb" || kind === "operation"
        ? server.ask<Stretch>({ do: "run", what: kind, seconds, connections })
        : loader.ask<Stretch>({ target, connections, seconds }),
    ),
  );
  const results = summarize(options, samples);
  process.stdout.write(table(results));
  if (!options.only) await keep("quotes", results, chart(results));
});
