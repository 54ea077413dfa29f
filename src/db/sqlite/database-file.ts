import fs from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Marks a backup until it is opened as a database, in the bytes of SQLite's application_id, which is 0
 * in our databases. SQLite does not know which log belongs to which file: a backup copied over a running
 * database, or beside the log of a killed one, would mix with the old rows without an error.
 */
const MARK = Buffer.from("copy");
const MARK_AT = 68;

/** First bytes of every SQLite file. */
const FORMAT = Buffer.from("SQLite format 3\0");

/** How long a reading of the disk's free space is used, in milliseconds. */
const ROOM_MS = 1000;

/** A reserve takes at most this share of a small disk. */
const MOST_OF_DISK = 0.1;

/**
 * The file of an open database. Its descriptor is opened before SQLite's and closed after it, because
 * closing any descriptor of a file releases the locks that this process holds on it.
 */
export class DatabaseFile {
  readonly #descriptor: number;
  readonly #folder: string;
  /** The database, its log with the newest commits, and its locks. SQLite resolves links. */
  readonly #parts: readonly string[];
  #identities: readonly (string | undefined)[] = [];
  #freeBytes = 0;
  #diskBytes = 0;
  #roomReadAt = Number.NEGATIVE_INFINITY;

  /** Creates the file when it is missing. Refuses a backup beside another database's log. */
  constructor(file: string) {
    this.#folder = dirname(resolve(file));
    makeFolder(this.#folder);
    this.#descriptor = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    const path = fs.realpathSync(file);
    this.#parts = [file, `${path}-wal`, `${path}-shm`];
    try {
      if (!fs.fstatSync(this.#descriptor).isFile()) throw new Error(`${file} is not a file`);
      // Read before the mark: another process that starts removes the mark first, then creates a log.
      const log = fs.statSync(`${path}-wal`, { throwIfNoEntry: false });
      if (isMarked(this.#header())) {
        if (log !== undefined && log.size > 0) {
          throw new Error(
            `${file} is a backup, and ${path}-wal belongs to the database that was there before: ` +
              `move ${path}-wal and ${path}-shm away`,
          );
        }
        fs.writeSync(this.#descriptor, Buffer.alloc(MARK.length), 0, MARK.length, MARK_AT);
        fs.fsyncSync(this.#descriptor);
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Gives only the owner access, whatever the umask, and writes the files' names to the disk. Called once
   * SQLite has opened the file, so that a wrong path changes no other file.
   */
  secure(): void {
    restrict(...this.#parts);
    syncFolder(this.#folder);
  }

  /** Remembers which files SQLite has opened. */
  watch(): void {
    this.#identities = this.#parts.map(identity);
  }

  /** The reason why a write would be lost or would spoil another database, if there is one. */
  problem(): string | undefined {
    const moved = this.#parts.find((path, i) => identity(path) !== this.#identities[i]);
    if (moved !== undefined) return `${moved} was moved, deleted or replaced`;
    return this.isOverwritten() ? `${this.#parts[0]} was overwritten by a backup` : undefined;
  }

  /** Whether a backup was copied over the file, or is being copied: then the file ends early. */
  isOverwritten(): boolean {
    const header = this.#header();
    return header.length < MARK_AT + MARK.length || isMarked(header);
  }

  /** Whether the disk has this many bytes free. A reserve is limited to a share of a small disk. */
  hasRoom(bytes: number): boolean {
    const now = performance.now();
    if (now - this.#roomReadAt >= ROOM_MS) {
      const { bavail, blocks, bsize } = fs.statfsSync(this.#folder);
      this.#freeBytes = bavail * bsize;
      this.#diskBytes = blocks * bsize;
      this.#roomReadAt = now;
    }
    return this.#freeBytes >= Math.min(bytes, this.#diskBytes * MOST_OF_DISK);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  /** The first bytes up to the mark. */
  #header(): Buffer {
    const header = Buffer.alloc(MARK_AT + MARK.length);
    return header.subarray(0, fs.readSync(this.#descriptor, header, 0, header.length, 0));
  }
}

const isMarked = (header: Buffer): boolean =>
  header.subarray(0, FORMAT.length).equals(FORMAT) && header.subarray(MARK_AT).equals(MARK);

/** Copies under another name, and renames the copy when all of it is on the disk. */
export async function writeCopy(
  file: string,
  bytes: number,
  copy: (to: string) => Promise<void>,
): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    const { bavail, bsize, blocks } = fs.statfsSync(dirname(file));
    // Some file systems do not report their size.
    if (blocks > 0 && bavail * bsize < bytes) {
      const [need, free] = [bytes, bavail * bsize].map((one) => `${Math.ceil(one / 1024)} KiB`);
      throw new Error(`it takes ${need}, and ${free} are free`);
    }
    fs.closeSync(fs.openSync(partial, "wx", 0o600));
    try {
      await copy(partial);
      const descriptor = fs.openSync(partial, "r+");
      fs.writeSync(descriptor, MARK, 0, MARK.length, MARK_AT);
      fs.fsyncSync(descriptor);
      fs.closeSync(descriptor);
      fs.renameSync(partial, file);
    } finally {
      for (const path of [partial, `${partial}-journal`]) fs.rmSync(path, { force: true });
    }
    syncFolder(dirname(file));
  } catch (cause) {
    const message = `No backup was made. Fix the problem at ${file}, or name another file`;
    throw new Error(message, { cause });
  }
}

/** Node's recursive mkdir never returns in a folder that takes none, such as /proc. */
function makeFolder(folder: string): void {
  if (fs.existsSync(folder) || dirname(folder) === folder) return;
  makeFolder(dirname(folder));
  // Another process may create it at the same time.
  ignoring("EEXIST", () => fs.mkdirSync(folder, { mode: 0o700 }));
  syncFolder(dirname(folder));
}

function restrict(...paths: string[]): void {
  for (const path of paths) ignoring(["ENOENT", "EPERM"], () => fs.chmodSync(path, 0o600));
}

/** Windows syncs names itself, and cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = fs.openSync(folder, "r");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}

function identity(path: string): string | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

function ignoring(codes: string | string[], act: () => void): void {
  try {
    act();
  } catch (error) {
    if (![codes].flat().includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
