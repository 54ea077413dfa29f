import fs from "node:fs";
import { dirname } from "node:path";
import type { HeldFile } from "./copy-mark.ts";

/** How long what the file system said is believed, in milliseconds. */
const BELIEVED_MS = 1000;

/** Reserves are for disks of some size; a small one keeps this part of itself at most. */
const MOST_OF_DISK = 0.1;

interface Room {
  /** Bytes that may still be written, and of how many in all. */
  freeBytes: number;
  diskBytes: number;
}

const find = (path: string) => fs.statSync(path, { throwIfNoEntry: false });

/** Which file a name leads to; undefined where to none. */
const identity = (found: fs.Stats | undefined) => found && `${found.dev} ${found.ino}`;

/** Looks from outside at the files that a database is in; at the disk's room once a second at most. */
export function watchFile(file: string, held: HeldFile) {
  // What is committed stands in the journal first, and others see the locks in the third. SQLite has
  // both beside the file itself, where its name is a link.
  const real = fs.realpathSync(file);
  const parts = [file, `${real}-wal`, `${real}-shm`];
  const opened = parts.map((path) => identity(find(path)));
  /** When the file itself was written last, as far as it was looked at: SQLite does at checkpoints alone. */
  let writtenMs = 0;
  let seen: Room | null = null;
  let until = 0;

  const state = (): Room => {
    const now = performance.now();
    if (seen !== null && now < until) return seen;
    const { bavail, blocks, bsize } = fs.statfsSync(dirname(file));
    seen = { freeBytes: bavail * bsize, diskBytes: blocks * bsize };
    until = now + BELIEVED_MS;
    return seen;
  };

  function isOverwritten(mtimeMs: number): boolean {
    if (mtimeMs === writtenMs) return false;
    if (held.isOverwritten()) return true;
    writtenMs = mtimeMs;
    return false;
  }

  return {
    /** What was done to a part: whatever is written then is lost, or spoils what is there now. */
    harm(): string | undefined {
      for (const [i, path] of parts.entries()) {
        const found = find(path);
        if (identity(found) !== opened[i]) return `${path} was taken away`;
        if (i === 0 && isOverwritten(found!.mtimeMs)) return `${path} was overwritten by a copy`;
      }
      return undefined;
    },
    /** Whether so many bytes are still free; a disk too small for such a reserve keeps a part. */
    hasRoom(bytes: number): boolean {
      const { freeBytes, diskBytes } = state();
      return freeBytes >= Math.min(bytes, diskBytes * MOST_OF_DISK);
    },
  };
}
