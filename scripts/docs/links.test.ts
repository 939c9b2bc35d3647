import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, root, workspacePackages } from "../lib/workspace.mjs";
import { anchor } from "./markdown.js";

const pages = [
  ...["README.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md"].map((file) => join(root, file)),
  ...filesBelow(join(root, "docs"), (file) => file.endsWith(".md")),
  ...workspacePackages()
    .map(({ directory }) => join(directory, "README.md"))
    .filter((file) => existsSync(file)),
];
const prose = (file: string) => readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
const headings = (file: string) => [...prose(file).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => anchor(title));

/** What is wrong with a relative link of a page; `undefined` for a valid one. */
function linkMistake(page: string, link: string): string | undefined {
  const [path = "", fragment] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(target)) return `${link}: no such file`;
  if (fragment !== undefined && !headings(target).includes(fragment)) return `${link}: no such heading`;
  return undefined;
}

describe.each(pages.map((page) => [relative(root, page), page] as const))("%s", (_name, page) => {
  it("leads nowhere that is not there", () => {
    const links = [...prose(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.flatMap((link) => linkMistake(page, link) ?? [])).toEqual([]);
  });
});

describe("the documentation", () => {
  it("would notice a dead link", () => {
    const page = join(root, "README.md");
    expect(linkMistake(page, "docs/nowhere.md")).toContain("no such file");
    expect(linkMistake(page, "docs/architecture.md#nowhere")).toContain("no such heading");
  });

  it("explains each term once, and leads to the terms from the README and every guide", () => {
    const glossary = readFileSync(join(root, "docs/glossary.md"), "utf8");
    const terms = [...glossary.matchAll(/\*\*([^*]+?)\.?\*\*/g)].map(([, term = ""]) => term.toLowerCase());
    expect(terms.length).toBeGreaterThan(80);
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
    const guides = filesBelow(join(root, "docs/guides"), (file) => file.endsWith(".md"));
    const silent = [join(root, "README.md"), ...guides].filter((page) => !prose(page).includes("glossary.md)"));
    expect(silent.map((page) => relative(root, page))).toEqual([]);
  });

  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const named = pages.flatMap((page) => [...readFileSync(page, "utf8").matchAll(/npm run ([\w:-]+)/g)]);
    const unknown = named.map(([, name = ""]) => name).filter((name) => !(name in scripts));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it("names only files of the sources that exist", () => {
    const named = pages.flatMap((page) => [...prose(page).matchAll(/`((?:packages|scripts|examples)\/[\w./-]+)`/g)]);
    const missing = named.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)));
    expect([...new Set(missing)]).toEqual([]);
  });

  it("describes the settings that the standalone server reads", () => {
    const source = readFileSync(join(root, "packages/server/src/settings/settings.ts"), "utf8");
    const names = [...new Set(source.match(/\b(?:REEVE_[A-Z_]+|PORT|HOST|LOG_LEVEL)\b/g))].filter(
      (name) => name !== "REEVE_",
    );
    expect(names.length).toBeGreaterThan(5);
    const text = readFileSync(join(root, "docs/guides/standalone-server.md"), "utf8");
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
