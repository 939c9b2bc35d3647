// Runs before `npm start`, `npm test` and similar tasks. A fresh clone has only Node and npm, so this file has no
// dependency. It installs if dependencies changed, builds what is stale, and runs the task in this process, which
// therefore gets every signal and sets the exit code.
//
//   node scripts/bootstrap.mjs                       install and build
//   node scripts/bootstrap.mjs run <file> [args…]    install, build, run a .js or .ts file
//   node scripts/bootstrap.mjs reeve [args…]         install, build only what the server takes, run its command
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildStale } from "./lib/build.mjs";
import { installIfNeeded } from "./lib/install.mjs";
import { Failure, packagesToRun, root } from "./lib/workspace.mjs";

const [command, ...words] = process.argv.slice(2);
const only = command === "reeve" ? packagesToRun("@reeve/server") : undefined;
try {
  await installIfNeeded(only);
  await buildStale(only);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const [file, ...args] = command === "reeve" ? ["packages/server/dist/reeve.js", ...words] : words;
if (command && file) {
  const target = resolve(root, file);
  process.argv.splice(1, Number.POSITIVE_INFINITY, target, ...args);
  if (target.endsWith(".ts")) (await import("tsx/esm/api")).register();
  await import(pathToFileURL(target).href);
}
