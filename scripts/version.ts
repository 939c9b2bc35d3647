// Applies pending changesets to versions and changelogs. With --dry-run it only says what would come.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { applyChangesets, copyManifests } from "./lib/versions.js";
import { root, say, workspacePackages } from "./lib/workspace.mjs";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const copy = mkdtempSync(join(tmpdir(), "reeve-versions-"));
try {
  copyManifests(copy);
  const { changesets, versions } = applyChangesets(copy);
  for (const { name, directory } of workspacePackages()) {
    const version = versions.get(name);
    if (version === undefined) continue;
    say(`${name} ${version}`);
    if (values["dry-run"]) continue;
    const file = join(directory, "package.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(/(?<="version": ")[^"]+/, version));
    copyFileSync(join(copy, relative(root, directory), "CHANGELOG.md"), join(directory, "CHANGELOG.md"));
  }
  if (!values["dry-run"]) for (const name of changesets) rmSync(join(root, ".changeset", name));
  say(`${changesets.length} changesets ${values["dry-run"] ? "pending" : "applied"}`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
