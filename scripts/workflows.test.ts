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
    expect(named.filter((script) => script !== "ci" && !(script in scripts))).toEqual([]);
  });

  it("test on the oldest Node that packages permit, and on the newer lines", () => {
    const [, oldest = ""] = /\^(\d+\.\d+)/.exec(engines.node) ?? [];
    const [, listed = ""] = /node: \[(.*)\]/.exec(readFileSync(join(folder, "test.yml"), "utf8")) ?? [];
    expect(JSON.parse(`[${listed}]`)).toEqual([oldest, "22", "24"]);
  });
});
