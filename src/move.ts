/** A merchant's database, moved: `npm run move -- --from sqlite:data/merchant.db --to postgres://…` */
import { Command } from "commander";
import { MoveError, type MoveProgress, move } from "./store/move.ts";

const LINE_EVERY_MS = 5000;
const BAR_EVERY_MS = 100;
const BAR_WIDTH = 30;

/** A bar where somebody watches, a line now and then where the output is kept. */
function reporter(out: NodeJS.WriteStream): (progress: MoveProgress) => void {
  let next = 0;
  return ({ table, doing, done, total }) => {
    const now = Date.now();
    if (now < next && done < total) return;
    next = now + (out.isTTY ? BAR_EVERY_MS : LINE_EVERY_MS);
    const percent = Math.floor((100 * done) / total);
    const what = `${doing === "copy" ? "copying" : "checking"} ${table}`;
    if (!out.isTTY) {
      out.write(`${percent} % · ${what}\n`);
      return;
    }
    const filled = Math.round((BAR_WIDTH * done) / total);
    const bar = "█".repeat(filled) + "░".repeat(BAR_WIDTH - filled);
    out.write(`\r${bar} ${String(percent).padStart(3)} % ${what.padEnd(32)}`);
    if (done === total) out.write("\n");
  };
}

/** Answers the exit code. */
export async function moveDatabase(words: readonly string[]): Promise<number> {
  let code = 0;
  await new Command("move")
    .description(
      "Copy every row into an empty database, check each one, then commit. Stop the service first; " +
        "start it again with DATABASE_URL naming the new one.",
    )
    .requiredOption("--from <database>", "sqlite:<file> or postgres://…")
    .requiredOption("--to <database>", "the empty one")
    .action(async ({ from, to }: { from: string; to: string }) => {
      try {
        const moved = await move({ from, to, progress: reporter(process.stderr) });
        for (const [table, rows] of Object.entries(moved)) {
          if (rows > 0) process.stdout.write(`${table.padEnd(16)} ${rows}\n`);
        }
        process.stdout.write("Moved and checked. Start the service with the new DATABASE_URL.\n");
      } catch (error) {
        const { message } = error as Error;
        const told = error instanceof MoveError ? message : `Nothing was moved: ${message}`;
        process.stderr.write(`\n${told}\n`);
        code = 1;
      }
    })
    .parseAsync([...words], { from: "user" });
  return code;
}
