import fs from "node:fs";
import { dirname } from "node:path";

/** How long what the file system said is believed, in milliseconds. */
const BELIEVED_MS = 1000;

/** Reserves are for disks of some size; a small one keeps this part of itself at most. */
const MOST_OF_DISK = 0.1;

interface Room {
  /** Bytes that may still be written, and of how many in all. */
  freeBytes: number;
  diskBytes: number;
}

/** Which file a name leads to; undefined where to none. */
function identity(path: string): string | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Looks from outside at the files that a database is in; at the disk's room once a second at most. */
export function watchFile(file: string) {
  // What is committed stands in the journal first, and others see the locks in the third. SQLite has
  // both beside the file itself, where its name is a link.
  const real = fs.realpathSync(file);
  const parts = [file, `${real}-wal`, `${real}-shm`];
  const opened = parts.map(identity);
  let seen: Room | null = null;
  let until = 0;

  function look(): Room {
    const { bavail, blocks, bsize } = fs.statfsSync(dirname(file));
    return { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
  }

  const state = (): Room => {
    const now = performance.now();
    if (seen !== null && now < until) return seen;
    seen = look();
    until = now + BELIEVED_MS;
    return seen;
  };

  return {
    /** The part that was taken away or replaced: what is written then is found by no later start. */
    missing: () => parts.find((path, i) => identity(path) !== opened[i]),
    /** Whether so many bytes are still free; a disk too small for such a reserve keeps a part. */
    hasRoom(bytes: number): boolean {
      const { freeBytes, diskBytes } = state();
      return freeBytes >= Math.min(bytes, diskBytes * MOST_OF_DISK);
    },
  };
}
