import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./lib/workspace.mjs";

const folder = join(root, ".github/workflows");
const { engines, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);

describe("the public workflows", () => {
  it.each(workflows)("%s runs only scripts that package.json has", (_name, text) => {
    const named = [...text.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => script !== "ci" && script !== "config" && !(script in scripts))).toEqual([]);
  });

  it("publish by the script that checks, with provenance, and try it before", () => {
    const text = readFileSync(join(folder, "release.yml"), "utf8");
    expect(text).toMatch(/^ {2}id-token: write$/m);
    expect(text).toMatch(/run: npm run release$/m);
    expect(text).not.toMatch(/npm publish/);
    expect(readFileSync(join(folder, "test.yml"), "utf8")).toContain("npm run release -- --dry-run");
  });

  it("test on the oldest Node that packages permit, and on the newer lines", () => {
    const [, oldest = ""] = /\^(\d+\.\d+)/.exec(engines.node) ?? [];
    const [, listed = ""] = /node: \[(.*)\]/.exec(readFileSync(join(folder, "test.yml"), "utf8")) ?? [];
    expect(JSON.parse(`[${listed}]`)).toEqual([oldest, "22", "24"]);
  });
});
