import { spawn } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";

/** Spins until its parent process ends. */
const SPIN = "const parent = process.ppid; while (process.ppid === parent);";

/**
 * Runs the work, and keeps the cores from sleeping meanwhile if `wanted`. On a virtual machine, waking a core can take
 * longer than answering a request, and affects both sides at random. The measured work has priority over the spinning,
 * but flushes to disk may not: they took five times as long. So use it for reads only.
 */
export async function whileAwake<T>(wanted: boolean, work: () => Promise<T>): Promise<T> {
  const spinning = Array.from({ length: wanted ? availableParallelism() : 0 }, () =>
    spawn(process.execPath, ["-e", SPIN], { stdio: "ignore" }),
  );
  for (const { pid } of spinning) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  try {
    return await work();
  } finally {
    for (const child of spinning) child.kill("SIGKILL");
  }
}
