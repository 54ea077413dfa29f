import { readFileSync, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * A new folder, which the caller removes: in memory where the machine has room for it there, as the
 * syncs of a disk were most of what the store's tests took. Nothing here need outlive the machine.
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
    // A container's own is small, and no program may run from it.
    return type === "tmpfs" && bavail * bsize > ENOUGH_BYTES && !options!.includes("noexec");
  } catch {
    return false;
  }
}
