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
export class FileWatch {
  readonly #file: string;
  readonly #opened: fs.Stats;
  #seen: FileState | null = null;
  #until = 0;

  constructor(file: string) {
    this.#file = file;
    this.#opened = fs.statSync(file);
  }

  /** False where the file was taken away: what is written then is written into nothing. */
  get there(): boolean {
    return this.#state().there;
  }

  /** Whether so many bytes are still free; a disk too small for such a reserve keeps a part. */
  hasRoom(bytes: number): boolean {
    const { freeBytes, diskBytes } = this.#state();
    return freeBytes >= Math.min(bytes, diskBytes * MOST_OF_DISK);
  }

  #state(): FileState {
    const now = performance.now();
    if (this.#seen === null || now >= this.#until) {
      this.#seen = this.#look();
      this.#until = now + BELIEVED_MS;
    }
    return this.#seen;
  }

  #look(): FileState {
    const found = orNull("ENOENT", () => fs.statSync(this.#file));
    const there = found?.ino === this.#opened.ino && found?.dev === this.#opened.dev;
    if (!there) return { there, freeBytes: 0, diskBytes: 0 };
    const { bavail, blocks, bsize } = fs.statfsSync(dirname(this.#file));
    return { there, freeBytes: bavail * bsize, diskBytes: blocks * bsize };
  }
}
