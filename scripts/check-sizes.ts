import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { filesBelow, root, say, workspacePackages } from "./lib/workspace.mjs";

/** The most lines of a file. A longer file has more than one subject. */
const LIMITS = { source: 350, adapter: 150, test: 600, verifier: 560 };
/** It is one file on purpose: an auditor reads it whole, and keeps it beside the exports. */
const VERIFIER = "packages/verify-chain/src/verify-chain.mjs";

function limitOf(path: string): number {
  if (/[.]test[.]tsx?$|\/test\//.test(path)) return LIMITS.test;
  if (path === VERIFIER) return LIMITS.verifier;
  return path.startsWith("packages/adapter-") ? LIMITS.adapter : LIMITS.source;
}

const directories = [...workspacePackages().map(({ directory }) => directory), `${root}/scripts`];
const isCode = (file: string) =>
  /[.](tsx?|mts|mjs)$/.test(file) && !/\/(node_modules|dist)\/|[.]generated[.]ts$/.test(file);

let tooLong = 0;
for (const file of directories.flatMap((directory) => filesBelow(directory, isCode))) {
  const path = relative(root, file);
  const lines = readFileSync(file, "utf8").split("\n").length - 1;
  const limit = limitOf(path);
  if (lines <= limit) continue;
  tooLong++;
  say(`${path}: ${lines} lines, at most ${limit}`);
}
if (tooLong > 0) process.exitCode = 1;
