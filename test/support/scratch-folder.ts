import { readFileSync, statfsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * Creates a folder that lives until the end of the test file. It is in memory if the machine has room there,
 * because syncs took most of the time of the store's tests.
 */
export async function scratchFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(PLACE, `coffee-merchant-${name}-`));
  created.push(folder);
  return folder;
}

const created: string[] = [];

export async function removeScratchFolders(): Promise<void> {
  for (const folder of created.splice(0)) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

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
