import { spawn } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";

/** Ends by itself when whoever started it is gone. */
const SPIN = "const parent = process.ppid; while (process.ppid === parent);";

/**
 * Keeps the cores from sleeping until the returned function is called: on a virtual machine waking one can take longer than
 * answering a request, and hits both sides by chance. Whatever is measured has precedence over what keeps them busy.
 */
export function keepAwake(): () => void {
  const spinning = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", SPIN], { stdio: "ignore" }),
  );
  for (const { pid } of spinning) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  return () => {
    for (const child of spinning) child.kill("SIGKILL");
  };
}
