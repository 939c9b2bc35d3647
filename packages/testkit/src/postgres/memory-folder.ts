import { accessSync, constants, statfsSync } from "node:fs";

/** The folder of Linux for files in memory. */
const SHARED_MEMORY = "/dev/shm";
/** Many times what all tests hold at once. Containers have 64 MB by default. */
const ROOM_BYTES = 4 * 2 ** 30;

/** A folder in memory with enough room, if this machine has one. */
export function memoryFolder(): string | undefined {
  try {
    accessSync(SHARED_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? SHARED_MEMORY : undefined;
  } catch {
    return undefined;
  }
}
