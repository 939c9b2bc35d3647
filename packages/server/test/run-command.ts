import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { inject } from "vitest";
import type { Ask } from "./command-process.js";

/** What a command of `reeve` answered. */
export interface Ran {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

interface Host {
  readonly child: ChildProcess;
  /** Rejects when the process has ended. */
  readonly ended: Promise<never>;
}

const END = "\0";
let host: Host | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `reeve <args>` in `directory` with only these settings, in a process that runs all such commands of this worker
 * one by one. A test of the process itself takes `ServerProcess.run`.
 */
export function runCommand(
  args: readonly string[],
  directory: string,
  settings: Readonly<Record<string, string>> = {},
  input = "",
): Promise<Ran> {
  const env = { PATH: process.env.PATH ?? "", ...settings };
  const ran = last.then(() => ask({ args, directory, env, input, end: END }));
  last = ran.catch(() => undefined);
  return ran;
}

async function ask(what: Ask): Promise<Ran> {
  host ??= start();
  const { child, ended } = host;
  const answers = Promise.all([once(child, "message"), untilEnd(child.stdout), untilEnd(child.stderr)]);
  child.send(what);
  const [[code], output, errors] = await Promise.race([answers, ended]);
  return { code, output, errors };
}

function start(): Host {
  const file = inject("programs")["packages/server/test/command-process.ts"];
  const env = { PATH: process.env.PATH };
  const child = fork(file, { cwd: tmpdir(), env, execArgv: [], stdio: ["ignore", "pipe", "pipe", "ipc"] });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8");
  const ended = once(child, "close").then(() => {
    host = undefined;
    throw new Error("the process of the commands has ended");
  });
  ended.catch(() => undefined);
  return { child, ended };
}

/** What a stream gives until the mark that ends a command. */
function untilEnd(stream: Readable | null): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const take = (more: string) => {
      text += more;
      if (!text.endsWith(END)) return;
      stream?.off("data", take);
      resolve(text.slice(0, -END.length));
    };
    stream?.on("data", take);
  });
}
