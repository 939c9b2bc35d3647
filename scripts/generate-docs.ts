// Writes docs/reference, the types of operations and the tree of docs/architecture.md from the tables of @reeve/core and the
// folders. With --check it writes nothing and fails when a file is stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@reeve/core/reference";
import { staleFiles, writePages } from "./docs/folder.js";
import { operationTypes } from "./docs/operation-types.js";
import { referencePages } from "./docs/pages.js";
import { withTree } from "./docs/tree.js";
import { root, say } from "./lib/workspace.mjs";

const folder = join(root, "docs/reference");
const pages = await referencePages();
const typesFile = "packages/core/src/control-plane/operations.generated.ts";
const biome = [join(root, "node_modules/@biomejs/biome/bin/biome"), "format", `--stdin-file-path=${typesFile}`];
const types = execFileSync(process.execPath, biome, { cwd: root, input: operationTypes(operations), encoding: "utf8" });
const typesAreStale = readFileSync(join(root, typesFile), "utf8") !== types;

const architecture = join(root, "docs/architecture.md");
const page = readFileSync(architecture, "utf8");
const current = withTree(page);
if (process.argv.includes("--check")) {
  const stale = staleFiles(folder, pages);
  if (current !== page) {
    say("the tree of docs/architecture.md is not as it is; run `npm run docs:generate` and commit the result");
    process.exitCode = 1;
  }
  if (stale.length > 0) {
    say("docs/reference does not match the sources; run `npm run docs:generate` and commit the result:");
    for (const { file, why } of stale) say(`  docs/reference/${file}: ${why}`);
    process.exitCode = 1;
  }
  if (typesAreStale) {
    say(`${typesFile} does not match the schemas; run \`npm run docs:generate\` and commit the result`);
    process.exitCode = 1;
  }
} else {
  if (typesAreStale) {
    writeFileSync(join(root, typesFile), types);
    say(`${typesFile}: written`);
  }
  if (current !== page) writeFileSync(architecture, current);
  for (const { file, why } of writePages(folder, pages))
    say(`docs/reference/${file}: ${why}, ${why === "left over" ? "removed" : "written"}`);
}
