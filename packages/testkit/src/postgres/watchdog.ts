import { spawn } from "node:child_process";
import { once } from "node:events";

/** Cleans up after a server, however its starter ends. */
export interface Watchdog {
  /** Stops the server if it still runs and deletes its data. Resolves when both are done. */
  finish(): Promise<void>;
}

/**
 * Only the starter holds the pipe of standard input open, so `read` returns when the starter ends, even by SIGKILL. The
 * first line of the server's lock file is its pid.
 */
const SCRIPT = `
read _
if read pid 2>/dev/null < "$1/postmaster.pid"; then
  kill -QUIT "$pid" 2>/dev/null
  i=0
  while kill -0 "$pid" 2>/dev/null && [ $i -lt 50 ]; do sleep 0.1; i=$((i + 1)); done
fi
rm -rf "$1"
`;

/** Watches over the data directory, in a separate process group, so that Ctrl-C does not end it first. */
export function startWatchdog(dataDirectory: string): Watchdog {
  const shell = spawn("sh", ["-c", SCRIPT, "watchdog", dataDirectory], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    detached: true,
  });
  const exited = once(shell, "exit");
  shell.unref();
  return {
    async finish() {
      shell.ref();
      shell.stdin.end();
      await exited;
    },
  };
}
