// Writes docs/reference from the tables of @reeve/core. With --check it writes nothing and fails when a file is stale.
import { join } from "node:path";
import { staleFiles, writePages } from "./docs/folder.js";
import { referencePages } from "./docs/pages.js";
import { root, say } from "./lib/workspace.mjs";

const folder = join(root, "docs/reference");
const pages = await referencePages();
if (process.argv.includes("--check")) {
  const stale = staleFiles(folder, pages);
  if (stale.length > 0) {
    say("docs/reference does not match the sources; run `npm run docs:generate` and commit the result:");
    for (const { file, why } of stale) say(`  docs/reference/${file}: ${why}`);
    process.exitCode = 1;
  }
} else {
  for (const { file, why } of writePages(folder, pages))
    say(`docs/reference/${file}: ${why}, ${why === "left over" ? "removed" : "written"}`);
}
