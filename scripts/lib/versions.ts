// Applies pending changesets in a copy of what changesets reads, so that a fault leaves the workspace as it was.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { command } from "./checks.js";
import { root, workspacePackages } from "./workspace.mjs";

/** What pending changesets come to. */
export interface Release {
  /** Names of the applied files in `.changeset`. */
  readonly changesets: readonly string[];
  /** The next version of each package that gets one. */
  readonly versions: ReadonlyMap<string, string>;
}

interface Status {
  changesets: { id: string }[];
  releases: { name: string; type: string; newVersion: string }[];
}

/**
 * Copies manifests, changelogs and changesets, as a repository of its own. Changesets would turn a minor release of a peer
 * into a major release of its dependents; our peers always have the same release, so the copy has none of them.
 */
export function copyManifests(to: string): void {
  for (const path of ["package.json", "pnpm-workspace.yaml", ".changeset"])
    cpSync(join(root, path), join(to, path), { recursive: true });
  for (const { directory, manifest } of workspacePackages()) {
    const folder = join(to, relative(root, directory));
    const { peerDependencies = {}, ...others } = manifest as { peerDependencies?: Record<string, string> };
    const foreign = Object.entries(peerDependencies).filter(([name]) => !name.startsWith("@reeve/"));
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ ...others, peerDependencies: Object.fromEntries(foreign) }, null, 2),
    );
    const changelog = join(directory, "CHANGELOG.md");
    if (existsSync(changelog)) cpSync(changelog, join(folder, "CHANGELOG.md"));
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: to, stdio: "ignore" });
  git("init", "--initial-branch", "main");
  git("add", "--all");
  git("-c", "user.name=Reeve", "-c", "user.email=release@reeve.invalid", "commit", "--message", "begin");
}

/** Runs `changeset status` and `changeset version` in a copy. Throws what they print when they refuse. */
export function applyChangesets(copy: string): Release {
  const changeset = (...args: string[]) =>
    execFileSync(process.execPath, [command("@changesets/cli", "changeset"), ...args], { cwd: copy, stdio: "pipe" });
  changeset("status", "--output", "status.json");
  const status = JSON.parse(readFileSync(join(copy, "status.json"), "utf8")) as Status;
  changeset("version");
  const released = status.releases.filter(({ type }) => type !== "none");
  return {
    changesets: status.changesets.map(({ id }) => `${id}.md`),
    versions: new Map(released.map(({ name, newVersion }) => [name, newVersion])),
  };
}
