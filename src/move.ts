/** `npm run move -- --from sqlite:data/merchant.db --to postgres://…` copies a shop's database. */
import { Command } from "commander";
import { answersAt, openStore } from "./app/compose.ts";
import { calledWith } from "./app/data-folder.ts";
import { progressOn } from "./cli/progress.ts";
import { MoveError, type MoveProgress, move } from "./db/move.ts";
import { INSTALLATION_ID, SERVED_AT } from "./merchant/installation.ts";

/** Returns the exit code. */
export async function moveDatabase(words: readonly string[]): Promise<number> {
  let code = 0;
  await new Command(calledWith("move"))
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
        // A failed check does not undo the move.
        const running = await runningService(to).catch(() => undefined);
        for (const [table, rows] of Object.entries(moved)) {
          if (rows > 0) process.stdout.write(`${table.padEnd(16)} ${rows}\n`);
        }
        process.stdout.write("Moved and checked. Start the service with the new DATABASE_URL.\n");
        if (running) process.stderr.write(`\n${stillRunningWarning(running)}\n`);
      } catch (error) {
        const { message } = error as Error;
        const reason = error instanceof MoveError ? message : `Nothing was moved: ${message}`;
        process.stderr.write(`\n${reason}\n`);
        code = 1;
      }
    })
    .parseAsync([...words], { from: "user" });
  return code;
}

/** URL of the service that was last started on the moved database, if it still answers. */
async function runningService(moved: string): Promise<string | undefined> {
  const store = await openStore(moved);
  try {
    const [id, url] = await Promise.all([INSTALLATION_ID, SERVED_AT].map(store.queries.setting));
    return id && url && (await answersAt(url, { id })) ? url : undefined;
  } finally {
    await store.close();
  }
}

const stillRunningWarning = (url: string): string =>
  `The service still runs at ${url}, and the new database lacks everything it stores from now on. ` +
  "Stop it, then move again, into an empty database.";
