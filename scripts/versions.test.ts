import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyChangesets, copyManifests } from "./lib/versions.js";
import { root, workspacePackages } from "./lib/workspace.mjs";

const published = workspacePackages().filter(({ manifest }) => !manifest.private);
const names = published.map(({ name }) => name).sort();
const changelogOf = (copy: string, name: string) => {
  const directory = workspacePackages().find((item) => item.name === name)?.directory ?? "";
  return readFileSync(join(copy, relative(root, directory), "CHANGELOG.md"), "utf8");
};

describe("a release", () => {
  let copy: string;
  const pending = (name: string, text: string) => writeFileSync(join(copy, ".changeset", `${name}.md`), text);

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), "reeve-versions-"));
    copyManifests(copy);
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  it("takes the pending changesets to one version of all published packages, and to no other package", () => {
    pending("one", '---\n"@reeve/core": minor\n---\n\nCore counts.\n');
    pending("two", '---\n"@reeve/store-sqlite": patch\n"@reeve/client": patch\n---\n\nThe store keeps.\n');
    const { changesets, versions } = applyChangesets(copy);
    expect(changesets).toEqual(expect.arrayContaining(["one.md", "two.md"]));
    expect([...versions.keys()].sort()).toEqual(names);
    const [next, ...others] = new Set(versions.values());
    expect(others).toEqual([]);
    expect(next).toMatch(/^[1-9]\d*[.]0[.]0$|^0[.][1-9]\d*[.]0$/);
    expect(next).not.toBe(published[0]?.manifest.version);
    expect(changelogOf(copy, "@reeve/core")).toMatch(/Core counts[.][\s\S]*## 0[.]1[.]0\n/);
    expect(changelogOf(copy, "@reeve/client")).toMatch(/The store keeps[.][\s\S]*## 0[.]1[.]0\n/);
    expect(changelogOf(copy, "@reeve/mcp")).not.toMatch(/Core counts|The store keeps/);
    for (const { directory, manifest } of workspacePackages()) {
      const { version } = JSON.parse(readFileSync(join(copy, relative(root, directory), "package.json"), "utf8"));
      expect(version, manifest.name).toBe(manifest.private ? manifest.version : next);
    }
  });

  it("is refused when a changeset names a package that is not published", () => {
    pending("private", '---\n"@reeve/core": minor\n"@reeve/store-sql": minor\n---\n\nTwo kinds.\n');
    expect(() => applyChangesets(copy)).toThrow(/ignored|store-sql/);
  });
});
