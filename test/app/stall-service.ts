/** The whole service in a process that measures how long each turn of its event loop takes. */
import { readConfig } from "../../src/app/config.ts";
import { createLog } from "../../src/app/log.ts";
import { contents } from "../../src/app/registry.ts";
import { serve } from "../../src/app/serve.ts";

/** A job that no request starts, or null for a look at the longest turn alone. */
export type Job = "reconciler" | "retention" | "housekeeping" | null;

const served = await serve(readConfig(process.env), {
  log: createLog("silent"),
  contents,
  version: "0.0.0-stalls",
});
/** CPU time of writing and reading 3,000 small rows: a turn's bound is told in these, as machines differ. */
function rowsMs(): number {
  const runs = 20;
  const rows = Array.from({ length: 3000 }, (_, i) => ({
    id: `ord_${i}`,
    name: "Ann",
    lines: [i],
  }));
  const began = process.threadCpuUsage();
  for (let i = 0; i < runs; i++) JSON.parse(JSON.stringify(rows));
  const done = process.threadCpuUsage(began);
  return (done.user + done.system) / 1000 / runs;
}

let longestMs = 0;
let used = process.threadCpuUsage();

/** CPU time of this thread, because other programs on the machine stop the clock on the wall. */
function note(): void {
  const now = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (now.user + now.system - used.user - used.system) / 1000);
  used = now;
}

const { merchant } = served.service;
const jobs = {
  reconciler: () => merchant.reconciler.sweep(),
  retention: () => merchant.retention.sweep(),
  housekeeping: () => merchant.housekeeping.run(),
};
setInterval(note, 1);
process.on("message", async ({ job }: { job: Job }) => {
  if (job) await jobs[job]();
  note();
  process.send!(longestMs);
  longestMs = 0;
});
process.send!([served.baseUrl, rowsMs()]);
