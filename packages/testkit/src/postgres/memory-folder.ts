import { accessSync, constants, statfsSync } from "node:fs";

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = "/dev/shm";
/** Many times what a run of all tests holds at once; containers have 64 MB unless told otherwise. */
const ROOM_BYTES = 4 * 2 ** 30;

/** A folder whose files are in memory, where this machine has one with room. */
export function memoryFolder(): string | undefined {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? SHARED_MEMORY : undefined;
  } catch {
    return undefined;
  }
}
