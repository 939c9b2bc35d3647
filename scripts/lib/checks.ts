import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tally } from "./vitest-report.js";
import { elapsed, root, say } from "./workspace.mjs";

type Bin = string | Record<string, string>;

/** The script of a root dependency's command. Running it directly avoids the start of a package manager. */
export function command(packageName: string, name = packageName): string {
  const directory = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { bin: Bin };
  return join(directory, typeof bin === "string" ? bin : (bin[name] ?? ""));
}

/** Node arguments that run a script of this repository. */
export function script(name: string, ...args: string[]): string[] {
  return ["--import", "tsx", join(root, "scripts", name), ...args];
}

/** Runs Node with these arguments. `output` is what it printed, unless `show` sends that to the terminal. */
export async function node(args: string[], show: boolean): Promise<{ ok: boolean; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", show ? "inherit" : "pipe", "pipe"] });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    if (show) process.stdout.write(text);
    else output += text;
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { ok: code === 0, output };
}

/** Runs one check, prints its output on failure, or all along with `show`, and counts as one test. */
export async function check(name: string, args: string[], show = false): Promise<Tally> {
  const started = performance.now();
  const { ok, output } = await node(args, show);
  if (!ok && !show) say(output.trimEnd());
  say(`${ok ? "passed" : "FAILED"}  ${name} (${elapsed(started)})`);
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export const lint = (...paths: string[]) =>
  check("lint and format", [command("@biomejs/biome", "biome"), "check", ...paths]);

/**
 * Checks all types, because a change can break any other file. TypeScript 7 takes a third of the time of the version
 * that builds. Several checkers would each work out the types of the same table: two take half as long again, four twice
 * as long.
 */
export const types = async () => {
  const checked = (name: string, ...more: string[]) =>
    check(name, [command("typescript-7", "tsc"), "--noEmit", "--checkers", "1", ...more]);
  const [all, pages] = [
    await checked("types"),
    await checked("types of the console", "--project", "packages/console/app"),
  ];
  return { passed: all.passed + pages.passed, failed: all.failed + pages.failed };
};
