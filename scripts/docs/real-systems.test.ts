import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { NEWEST, realSystems, versionOf } from "./real-systems.js";

const systems = await realSystems();

describe("the page of real systems", () => {
  it("names only titles of tests that stand in the named files", () => {
    for (const { name, tests, tried, suites = [] } of systems) {
      const text = tests.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
      expect([...tried, ...suites], `${name} says what was tried`).not.toEqual([]);
      for (const title of tried) expect(text, name).toContain(`"${title}"`);
    }
  });

  it("says the version of Debian's package that is installed, and of npm an exact one", () => {
    for (const system of systems) {
      if ("npm" in system.source) expect(versionOf(system), system.name).toMatch(/^\d+\.\d+\.\d+/);
      else if (system.source.version !== NEWEST)
        expect(installed(system.source.debian) ?? system.source.version, system.name).toBe(system.source.version);
    }
  });

  it("tells each system once", () => {
    const names = systems.map(({ kind, name }) => `${kind}: ${name}`);
    expect(names).toEqual([...new Set(names)]);
  });
});

/** The upstream version of a package of this machine, or `undefined` where it or Debian is missing. */
function installed(debianPackage: string): string | undefined {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", debianPackage], { encoding: "utf8" });
  const [, version] = status === 0 ? stdout.trim().split("\t") : [];
  return version?.replace(/^\d+:/, "").replace(/[+~-].*$/, "");
}
