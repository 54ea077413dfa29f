import fs from "node:fs";

/**
 * Nothing in a database's file says which log beside it is its own, so a backup carries a mark until it is
 * opened: where SQLite has a place for a number of the application's, which is 0 in every other file of ours.
 */
const MARK_AT = 68;
const COPY = Buffer.from("copy");

/** Not synced: the making of a copy ends with that. */
export const markCopy = (path: string): void => setMark(path, COPY, false);

function setMark(path: string, mark: Buffer, sync: boolean): void {
  const descriptor = fs.openSync(path, "r+");
  try {
    fs.writeSync(descriptor, mark, 0, mark.length, MARK_AT);
    if (sync) fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** By file, how many of this process have it open, and through what. */
const inUse = new Map<string, { descriptor: number; users: number }>();

export type HeldFile = ReturnType<typeof holdFile>;

/**
 * The file through a descriptor that is there before SQLite's and goes after them, one for all of this
 * process: closing any other would let go of SQLite's locks.
 */
export function holdFile(file: string) {
  const { dev, ino } = fs.statSync(file);
  const key = `${dev} ${ino}`;
  const held = inUse.get(key) ?? { descriptor: fs.openSync(file, "r"), users: 0 };
  held.users += 1;
  inUse.set(key, held);

  /** Shorter where the file ends before it, as one does that is just being written over. */
  function mark(): Buffer {
    const found = Buffer.alloc(COPY.length);
    return found.subarray(0, fs.readSync(held.descriptor, found, 0, found.length, MARK_AT));
  }

  return {
    /** A backup was written over it, or just begins to be. */
    isOverwritten: () => mark().length < COPY.length || mark().equals(COPY),

    /** A backup that was put here becomes a database like any other. */
    adopt(): void {
      const path = fs.realpathSync(file);
      // Before the mark: another process that starts takes that off first, and then makes a log.
      const log = fs.statSync(`${path}-wal`, { throwIfNoEntry: false });
      if (!mark().equals(COPY)) return;
      if (log !== undefined && log.size > 0) {
        throw new Error(
          `${file} is a backup, and ${path}-wal is of what was there before it: ` +
            `move ${path}-wal and ${path}-shm away`,
        );
      }
      setMark(file, Buffer.alloc(COPY.length), true);
    },

    release(): void {
      held.users -= 1;
      if (held.users > 0) return;
      inUse.delete(key);
      fs.closeSync(held.descriptor);
    },
  };
}
