import type { Context } from "./context.ts";

/** What is asked of the database as a whole (contract §16). */
export const databaseVerbs = ({ store }: Context) => ({
  /** `room`: for new rows, where there is a disk to look at. Rejects where it does not answer. */
  health: (): Promise<{ room: boolean }> => store.health(),
  /** Copies it into one file, while the service runs. SQLite only. */
  backup: (file: string): Promise<void> => store.backup(file),
});
