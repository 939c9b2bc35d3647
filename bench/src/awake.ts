import { spawn } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";

/** Ends by itself when whoever started it is gone. */
const SPIN = "const parent = process.ppid; while (process.ppid === parent);";

/**
 * Does the work; where it is `wanted`, while the cores are kept from sleeping. On a virtual machine waking one can take longer
 * than answering a request, and hits both sides by chance. Whatever is measured has precedence over what keeps them busy, but
 * what the host does for a disk may not: a flush to the disk took five times as long meanwhile, so this is for reads.
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
