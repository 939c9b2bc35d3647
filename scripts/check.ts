// Runs `npm run check -- <paths>`: types, lint of the paths, the layout of areas, and the tests on the memory store
// that a change of these paths can affect. By default the paths are those that git reports as changed.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { startVitest } from "vitest/node";
import { check, lint, script, types } from "./lib/checks.js";
import { isReached } from "./lib/reach.js";
import { elapsed, filesBelow, root, say } from "./lib/workspace.mjs";

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
const changed = () => [
  ...git("diff", "--name-only", "-z", "HEAD"),
  ...git("ls-files", "--others", "--exclude-standard", "-z"),
];

const started = performance.now();
const given = process.argv.slice(2).map((path) => relative(root, resolve(path)));
const paths = (given.length > 0 ? given : changed()).filter((path) => existsSync(join(root, path)));
if (paths.length === 0) {
  say("nothing is changed");
  process.exit();
}

const isTest = (file: string) => file.endsWith(".test.ts") && !/\/(node_modules|dist)\//.test(file);
const tests = ["packages", "examples", "bench", "scripts"]
  .flatMap((folder) => filesBelow(join(root, folder), isTest))
  .filter((file) => isReached(relative(root, file), paths));

const checks = [
  types(),
  lint("--no-errors-on-unmatched", ...paths),
  check("areas and resources", script("check-layout.ts")),
];
let failed = 0;
if (tests.length > 0) {
  // Tests on SQL stores are left to `npm test`, because areas seldom depend on the store.
  const vitest = await startVitest("test", tests, {
    run: true,
    project: ["main", "memory", "own-process"],
    reporters: ["dot"],
  });
  failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
  await vitest.close();
}
for (const tally of await Promise.all(checks)) failed += tally.failed;
say(`${failed === 0 ? "passed" : "FAILED"}  ${tests.length} test files, types, lint and layout (${elapsed(started)})`);
process.exitCode = failed === 0 ? 0 : 1;
