import fs from "node:fs";
import { dirname } from "node:path";
import { markCopy } from "./copy-mark.ts";

/**
 * The file that a database is in. Never opened here once SQLite has it: closing any other descriptor
 * of it lets go of the locks that SQLite holds on it for this process.
 */

/** Makes the file and the folders above it, the owner's alone, and sees to it that the disk knows. */
export function createFile(file: string): void {
  const folder = dirname(file);
  const made = makeFolder(folder);
  if (!fs.existsSync(file)) {
    // "wx": of two processes that start at once, one makes it. Before SQLite does, which would make
    // it for everybody's eyes, and its journals with the same rights.
    const descriptor = orNull("EEXIST", () => fs.openSync(file, "wx", 0o600));
    if (descriptor !== null) fs.closeSync(descriptor);
  }
  // A folder or a device is nothing of ours: its rights are not to be touched.
  if (!fs.statSync(file).isFile()) throw new Error(`${file} is not a file`);
  restrictFile(file);
  syncFolder(folder);
  // A name is on the disk when the folder that it stands in was synced.
  for (const path of made) syncFolder(dirname(path));
}

/**
 * Makes a folder and those above it, and answers which of them were not there. Node's own way never
 * returns where a folder is there and takes none, as /proc.
 */
function makeFolder(folder: string): string[] {
  const above = dirname(folder);
  if (fs.existsSync(folder) || above === folder) return [];
  const made = makeFolder(above);
  // Of two processes that start at once, one makes it.
  orNull("EEXIST", () => fs.mkdirSync(folder, { mode: 0o700 }));
  return [folder, ...made];
}

/** Only the owner reads it or its journals, whatever the umask was and whatever made them. */
export function restrictFile(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    orNull(["ENOENT", "EPERM"], () => fs.chmodSync(path, 0o600));
  }
}

/** Windows syncs names by itself, and opens no folders. */
export function syncFolder(folder: string): void {
  if (process.platform !== "win32") syncFile(folder);
}

/**
 * Copies by way of a name that nothing else has, so that whatever journal a lost power leaves behind
 * belongs to no copy, and gives it its own name when all of it is on the disk.
 */
export async function writeCopy(
  file: string,
  bytes: number,
  copy: (to: string) => Promise<void>,
): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    needRoom(dirname(file), bytes);
    fs.closeSync(fs.openSync(partial, "wx", 0o600));
    try {
      await copy(partial);
      restrictFile(partial);
      markCopy(partial);
      syncFile(partial);
      fs.renameSync(partial, file);
    } finally {
      fs.rmSync(partial, { force: true });
      fs.rmSync(`${partial}-journal`, { force: true });
    }
    syncFolder(dirname(file));
  } catch (cause) {
    const says = `No backup was made. Mend what is wrong at ${file}, or name a file elsewhere`;
    throw new Error(says, { cause });
  }
}

/** A copy that cannot be finished would fill the disk, which may be the database's own. */
function needRoom(folder: string, bytes: number): void {
  const { bavail, bsize, blocks } = fs.statfsSync(folder);
  // Some file systems of others tell nothing of themselves.
  if (blocks === 0 || bavail * bsize >= bytes) return;
  const [need, free] = [bytes, bavail * bsize].map((one) => `${Math.ceil(one / 1024)} KiB`);
  throw new Error(`it takes ${need}, and ${free} are free`);
}

function syncFile(path: string): void {
  const descriptor = fs.openSync(path, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Where the file system answers with one of these codes, null. */
function orNull<T>(codes: string | string[], act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if ([codes].flat().includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}
