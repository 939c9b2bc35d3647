// What `npm test` runs after bootstrapping. Its last line is the summary; one check counts as one test.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { count, failures, type Report, type Tally } from "./lib/vitest-report.js";
import { elapsed, root, say } from "./lib/workspace.mjs";

type Bin = string | Record<string, string>;

/** The script behind a command of a root dependency: starting it directly saves a package manager's start each time. */
function command(packageName: string, name = packageName): string {
  const directory = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { bin: Bin };
  return join(directory, typeof bin === "string" ? bin : (bin[name] ?? ""));
}

/** Runs Node with these arguments; `output` is what it printed, unless that goes straight to the terminal. */
async function node(args: string[], show: boolean): Promise<{ ok: boolean; output: string }> {
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

async function check(name: string, args: string[]): Promise<Tally> {
  const started = performance.now();
  const { ok, output } = await node(args, false);
  if (!ok) say(output.trimEnd());
  say(`${ok ? "passed" : "FAILED"}  ${name} (${elapsed(started)})`);
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

const script = (name: string, ...args: string[]) => ["--import", "tsx", join(root, "scripts", name), ...args];

async function unitTests(): Promise<Tally> {
  const started = performance.now();
  const directory = mkdtempSync(join(tmpdir(), "reeve-vitest-"));
  const report = join(directory, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const { ok } = await node([command("vitest"), "run", ...reporters], true);
    const told = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
    const tally = told ? count(told) : { passed: 0, failed: 0 };
    // A run can fail without a failed test: a file that does not load, an error outside any test, no test at all.
    if (!ok && tally.failed === 0) tally.failed = 1;
    for (const line of told ? failures(told) : []) say(line);
    say(`${ok ? "passed" : "FAILED"}  tests: ${tally.passed} passed, ${tally.failed} failed (${elapsed(started)})`);
    return tally;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const checks: Promise<Tally>[] = [
  check("lint and format", [command("@biomejs/biome", "biome"), "check", "."]),
  check("types", [command("typescript", "tsc"), "--noEmit"]),
  check("import boundaries", [command("dependency-cruiser", "depcruise"), "packages", "examples", "bench"]),
  check("file sizes", script("check-sizes.ts")),
  check("areas and resources", script("check-layout.ts")),
];
if (existsSync(join(root, "scripts/generate-docs.ts"))) {
  checks.push(check("generated docs", script("generate-docs.ts", "--check")));
}
const tallies = await Promise.all(checks);
tallies.push(await unitTests());
tallies.push(await check("packed packages", script("test-packed.ts")));
tallies.push(await check("package sizes", script("check-package.ts")));
for (const adapter of ["fastify", "express"]) {
  for (const store of ["sqlite", "postgres"]) {
    tallies.push(await check(`tour on ${adapter} and ${store}`, script("test-tour.ts", adapter, store)));
  }
}

const total = (key: keyof Tally) => tallies.reduce((sum, tally) => sum + tally[key], 0);
if (total("failed") > 0) process.exitCode = 1;
say(`${total("passed")} passed, ${total("failed")} failed`);
