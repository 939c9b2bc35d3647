import { existsSync, readFileSync } from "node:fs";

/** What the kernel of Linux tells of the main thread. The first number is its time on a core in ns. */
const OF_MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;
const isReported = existsSync(OF_MAIN_THREAD);

/** Processor time of the main thread in ms; elsewhere than on Linux of the process with its helping threads. */
export function mainThreadMs(): number {
  if (isReported) return Number.parseInt(readFileSync(OF_MAIN_THREAD, "utf8"), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
