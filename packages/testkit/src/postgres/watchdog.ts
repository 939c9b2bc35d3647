import { spawn } from "node:child_process";
import { once } from "node:events";

/** Cleans up behind a server, however its starter ends. */
export interface Watchdog {
  /** Ends the server if it still runs, removes its data, and resolves when both are done. */
  finish(): Promise<void>;
}

/**
 * The standard input is a pipe that only the starter holds open, so `read` returns when the starter ends, SIGKILL
 * included. The server's pid stands in the first line of its own lock file.
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

/** Starts watching over the data directory; in a process group of its own, so that Ctrl-C does not end it first. */
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
