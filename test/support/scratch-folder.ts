import { readFileSync, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * Creates a folder, which the caller removes. It is in memory if the machine has room there, because syncs
 * took most of the time of the store's tests.
 */
export const scratchFolder = (name: string): Promise<string> =>
  mkdtemp(join(PLACE, `coffee-merchant-${name}-`));

export const ROOM_IN_MEMORY = hasRoomInMemory();
const PLACE = ROOM_IN_MEMORY ? MEMORY : tmpdir();

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const [, , type, options] = mounts.findLast((line) => line.includes(` ${MEMORY} `))!.split(" ");
    // In a container it may be small, and programs may not run from it.
    return type === "tmpfs" && bavail * bsize > ENOUGH_BYTES && !options!.includes("noexec");
  } catch {
    return false;
  }
}
