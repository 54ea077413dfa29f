import fs from "node:fs";
import { dirname } from "node:path";
import { orNull } from "./database-file.ts";

/** How long what the file system said is believed, in milliseconds. */
const BELIEVED_MS = 1000;

/** Reserves are for disks of some size; a small one keeps this part of itself at most. */
const MOST_OF_DISK = 0.1;

interface FileState {
  /** The name still leads to the file that was opened. */
  there: boolean;
  /** Bytes that may still be written, and of how many in all. */
  freeBytes: number;
  diskBytes: number;
}

/** Looks from outside at the file that a database is in, at most once a second. */
export function watchFile(file: string) {
  const opened = fs.statSync(file);
  let seen: FileState | null = null;
  let until = 0;

  function look(): FileState {
    const found = orNull("ENOENT", () => fs.statSync(file));
    const there = found?.ino === opened.ino && found?.dev === opened.dev;
    if (!there) return { there, freeBytes: 0, diskBytes: 0 };
    const { bavail, blocks, bsize } = fs.statfsSync(dirname(file));
    return { there, freeBytes: bavail * bsize, diskBytes: blocks * bsize };
  }

  const state = (): FileState => {
    const now = performance.now();
    if (seen !== null && now < until) return seen;
    seen = look();
    until = now + BELIEVED_MS;
    return seen;
  };

  return {
    /** False where the file was taken away: what is written then is written into nothing. */
    isThere: (): boolean => state().there,
    /** Whether so many bytes are still free; a disk too small for such a reserve keeps a part. */
    hasRoom(bytes: number): boolean {
      const { freeBytes, diskBytes } = state();
      return freeBytes >= Math.min(bytes, diskBytes * MOST_OF_DISK);
    },
  };
}
