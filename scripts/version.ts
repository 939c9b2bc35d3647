// Applies pending changesets to versions and changelogs. Changesets would turn a minor release of a peer into a major
// release of its dependents. Our peers always have the same release, so they are hidden from it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./lib/checks.js";
import { root, workspacePackages } from "./lib/workspace.mjs";

type Manifest = { version: string; peerDependencies?: Record<string, string> };

const files = workspacePackages().map(({ directory }) => join(directory, "package.json"));
const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Manifest;
const write = (file: string, manifest: Manifest) => writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
const before = files.map((file) => [file, readFileSync(file, "utf8")] as const);

for (const file of files) {
  const { peerDependencies = {}, ...manifest } = read(file);
  const others = Object.entries(peerDependencies).filter(([name]) => !name.startsWith("@reeve/"));
  write(file, { ...manifest, ...(others.length > 0 ? { peerDependencies: Object.fromEntries(others) } : {}) });
}
try {
  execFileSync(process.execPath, [command("@changesets/cli", "changeset"), "version"], { cwd: root, stdio: "inherit" });
} finally {
  for (const [file, text] of before) {
    const { version } = read(file);
    write(file, { ...(JSON.parse(text) as Manifest), version });
  }
}
