// Writes docs/reference, docs/connectors, the types of operations and of the client, and the tree of docs/architecture.md,
// from the tables of @reeve/core, the connectors and the folders. With --check it writes nothing and fails when a file is stale.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@reeve/core/reference";
import { clientOperations, clientTypes } from "./docs/client-types.js";
import { commandOperations } from "./docs/command-operations.js";
import { connectorPages } from "./docs/connectors.js";
import { staleFiles, writePages } from "./docs/folder.js";
import { openapiDocument } from "./docs/openapi.js";
import { operationTypes } from "./docs/operation-types.js";
import { referencePages } from "./docs/pages.js";
import { withTree } from "./docs/tree.js";
import { root, say } from "./lib/workspace.mjs";

const folders = [
  { folder: "docs/reference", pages: await referencePages() },
  { folder: "docs/connectors", pages: await connectorPages() },
];

const document = openapiDocument();
const sources = [
  { file: "packages/core/src/control-plane/operations.generated.ts", text: operationTypes(operations) },
  { file: "packages/client/src/openapi.generated.ts", text: await clientTypes(document) },
  { file: "packages/client/src/operations.generated.ts", text: clientOperations(document) },
  { file: "packages/server/src/cli/operations.generated.ts", text: commandOperations(document) },
].map(({ file, text }) => ({ file, text: formatted(file, text) }));
const staleSources = sources.filter(({ file, text }) => read(file) !== text);

/** The source after formatting by biome. */
function formatted(file: string, input: string): string {
  const biome = [join(root, "node_modules/@biomejs/biome/bin/biome"), "format", `--stdin-file-path=${file}`];
  return execFileSync(process.execPath, biome, { cwd: root, input, encoding: "utf8", maxBuffer: 16 * 1_024 * 1_024 });
}

function read(file: string): string | undefined {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined;
}

const architecture = join(root, "docs/architecture.md");
const page = readFileSync(architecture, "utf8");
const current = withTree(page);
if (process.argv.includes("--check")) {
  if (current !== page) {
    say("the tree of docs/architecture.md is not as it is; run `npm run docs:generate` and commit the result");
    process.exitCode = 1;
  }
  for (const { folder, pages } of folders) {
    const stale = staleFiles(join(root, folder), pages);
    if (stale.length === 0) continue;
    say(`${folder} does not match the sources; run \`npm run docs:generate\` and commit the result:`);
    for (const { file, why } of stale) say(`  ${folder}/${file}: ${why}`);
    process.exitCode = 1;
  }
  for (const { file } of staleSources) {
    say(`${file} does not match the schemas; run \`npm run docs:generate\` and commit the result`);
    process.exitCode = 1;
  }
} else {
  for (const { file, text } of staleSources) {
    writeFileSync(join(root, file), text);
    say(`${file}: written`);
  }
  if (current !== page) writeFileSync(architecture, current);
  for (const { folder, pages } of folders)
    for (const { file, why } of writePages(join(root, folder), pages))
      say(`${folder}/${file}: ${why}, ${why === "left over" ? "removed" : "written"}`);
}
