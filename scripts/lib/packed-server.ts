// Starts the packed `reeve` in an empty folder, like `npx @reeve/server`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { elapsed, say } from "./workspace.mjs";

/** The faults of starting the packed server, calling its health check and stopping it. */
export async function packedServerFaults(consumer: string): Promise<string[]> {
  const started = performance.now();
  const directory = join(consumer, "node_modules/@reeve/server");
  const { bin } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { bin: { reeve: string } };
  const port = await freePort();
  const cwd = join(consumer, "server");
  mkdirSync(cwd);
  const child = spawn(process.execPath, [join(directory, bin.reeve)], { cwd, env: { PORT: String(port) } });
  const ended = once(child, "close").then(([code]) => code as number | null);
  let errors = "";
  const ready = new Promise<boolean>((resolve) => {
    child.stdout.resume();
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
      if (errors.includes("Reeve is ready")) resolve(true);
    });
    ended.then(() => resolve(false));
  });
  try {
    if (!(await ready)) return [`@reeve/server: does not start: ${errors}`];
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/monitor/ping`);
    say(`the packed server answered after ${elapsed(started)}`);
    return status === 200 ? [] : [`@reeve/server: its health is answered with ${status}`];
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
