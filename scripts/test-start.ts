// Runs `npm start` as a newcomer does: on a clone of HEAD in which nothing is installed or built.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "./lib/free-port.js";
import { elapsed, root, say } from "./lib/workspace.mjs";

/** The longest that install, build and start may take, and then the stop. A busy machine takes two minutes. */
const READY_WITHIN = 8 * 60_000;
const STOPPED_WITHIN = 60_000;
const ASKED_EACH = 500;

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** What the server answers, or 0 while there is none. */
const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );

/** The faults of `npm start` in that folder. Settings of this process are none of a newcomer's. */
async function startFaults(directory: string): Promise<string[]> {
  const started = performance.now();
  const port = String(await freePort());
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith("REEVE_"));
  const child = spawn("npm", ["start"], {
    cwd: directory,
    env: { ...Object.fromEntries(env), PORT: port, HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that no process of it is left when it has to be killed.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) return ["npm start is not found"];
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const line of text.split("\n").filter((each) => /^(?:Install|Built)/.test(each))) say(`  npm start: ${line}`);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const ended = once(child, "close").then(([code, signal]) => String(code ?? signal));
  let over: string | undefined;
  void ended.then((code) => {
    over = code;
  });
  const server = `http://127.0.0.1:${port}`;
  const left = () => READY_WITHIN - (performance.now() - started);
  try {
    while ((await statusOf(`${server}/readyz`)) !== 200) {
      if (over !== undefined) return [output, `npm start ended with ${over} before it was ready`];
      if (left() < 0) return [output, `npm start was not ready after ${elapsed(started)}`];
      await Promise.race([delay(ASKED_EACH), ended]);
    }
    say(`  npm start: ready after ${elapsed(started)}`);
    const docs = await statusOf(`${server}/docs`);
    child.kill("SIGTERM");
    const code = await Promise.race([ended, delay(STOPPED_WITHIN, "no end", { ref: false })]);
    return [
      ...(docs === 200 ? [] : [`/docs is answered with ${docs}`]),
      ...(code === "0" ? [] : [output, `npm start ended with ${code} after SIGTERM`]),
    ];
  } finally {
    if (over === undefined) process.kill(-pid, "SIGKILL");
    await ended;
  }
}

const directory = mkdtempSync(join(tmpdir(), "reeve-start-"));
try {
  if (git("status", "--porcelain") !== "") say("  npm start: changes that are not committed are left out");
  git("clone", "--quiet", "--depth", "1", `file://${root}`, directory);
  const faults = await startFaults(directory);
  for (const fault of faults) say(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
