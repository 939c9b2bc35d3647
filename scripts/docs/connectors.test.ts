import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { connectorPages } from "./connectors.js";

const pages = await connectorPages();
const sources = join(root, "packages/connectors/src");
const names = readdirSync(sources).filter((name) => existsSync(join(sources, name, "manifest.ts")));

describe("the pages of connectors", () => {
  it("are one for each that there is, and a list of them", () => {
    expect(pages.map(({ file }) => file).sort()).toEqual(["README.md", ...names.map((name) => `${name}.md`)].sort());
  });

  it("say what PostgreSQL has to allow, what the connector does, and what it does not", () => {
    const { text = "" } = pages.find(({ file }) => file === "postgres.md") ?? {};
    expect(text).toContain("| `sessions` | Membership in pg_signal_backend |");
    expect(text).toContain("| `password` | optional | yes |");
    expect(text).toContain("| Schema (`schema`) | `database` |");
    expect(text).toContain("- Nothing is granted to PUBLIC");
  });
});
