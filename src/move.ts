/** A merchant's database, moved: `npm run move -- --from sqlite:data/merchant.db --to postgres://…` */
import { Command } from "commander";
import { progressOn } from "./cli/progress.ts";
import { MoveError, type MoveProgress, move } from "./store/move.ts";

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
        const show = progressOn(process.stderr);
        const progress = ({ table, doing, done, total }: MoveProgress) =>
          show(done, total, `${doing === "copy" ? "copying" : "checking"} ${table}`);
        const moved = await move({ from, to, progress });
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
