import { fork } from "node:child_process";
import { once } from "node:events";
import { serveReference } from "./reference/index.js";
import type { ServerConfig, Serving } from "./server.js";
import { serveReeve } from "./subject.js";

/** A running server; `pid` if it is a separate process. */
export interface Running extends Serving {
  readonly pid?: number;
}

export type Launch = (config: ServerConfig) => Promise<Running>;

/** A server in this process: for checking answers, not for measuring. */
export const launchHere: Launch = (config) => (config.kind === "reeve" ? serveReeve(config) : serveReference(config));

/** A server in a separate process, which runs this program. */
export async function launchApart(config: ServerConfig): Promise<Running> {
  const child = fork(process.argv[1] as string, ["serve", JSON.stringify(config)]);
  const exited = once(child, "exit");
  const url = await Promise.race([
    once(child, "message").then(([message]) => message as string),
    exited.then(([code]) =>
      Promise.reject(new Error(`the ${config.kind} server ended with ${code} before it was ready`)),
    ),
  ]);
  return {
    url,
    pid: child.pid as number,
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

/** The child process: serves until the parent disconnects. */
export async function serveForParent(config: ServerConfig): Promise<void> {
  const serving = await launchHere(config);
  process.once("disconnect", () => {
    serving.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
  process.send?.(serving.url);
}
