import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, root } from "../lib/workspace.mjs";

const MAX_RECORDS = 43;
const MAX_RECORD_WORDS = 450;
const MAX_FOLDER_WORDS = 20_000;

const folder = join(root, "docs/adr");
const pagesOfFolder = filesBelow(folder, (file) => file.endsWith(".md"));
const records = pagesOfFolder.filter((file) => /\/adr\/\d{4}-[\w-]+\.md$/.test(file));
const text = (file: string) => readFileSync(file, "utf8");
const words = (file: string) =>
  text(file)
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
const outside = [
  join(root, "docs/architecture.md"),
  ...filesBelow(join(root, "docs/guides"), (file) => file.endsWith(".md")),
];
const linked = new Set(
  outside.flatMap((page) =>
    [...text(page).matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, link = ""]) => join(dirname(page), link)),
  ),
);

describe("the decision records", () => {
  it("are few enough to be read", () => {
    expect(records.length).toBeGreaterThan(0);
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
    expect(pagesOfFolder.reduce((sum, page) => sum + words(page), 0)).toBeLessThanOrEqual(MAX_FOLDER_WORDS);
  });

  it("have no other folder than the archive, which is one page", () => {
    const others = pagesOfFolder.filter((file) => !records.includes(file)).map((file) => relative(folder, file));
    expect(others.sort()).toEqual(["README.md", "archive/README.md"]);
  });

  describe.each(records.map((record) => [relative(folder, record), record] as const))("%s", (name, record) => {
    it("is short", () => {
      expect(words(record)).toBeLessThanOrEqual(MAX_RECORD_WORDS);
    });

    it("says context, decision and consequences, in this order", () => {
      const headings = [...text(record).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual(["Context", "Decision", "Consequences"]);
    });

    it("has a status, and a successor that exists", () => {
      const status = text(record).split("\n")[2] ?? "";
      expect(status).toMatch(/^Status: (?:accepted|superseded by \d{4})$/);
      const successor = /\d{4}$/.exec(status)?.[0] ?? "";
      expect(records.some((other) => other.includes(`/adr/${successor}`))).toBe(true);
    });

    it("is in the index", () => {
      const [, title = ""] = /^# (\d{4}: .*)$/m.exec(text(record)) ?? [];
      expect(text(join(folder, "README.md"))).toContain(`[${title}](${name})`);
    });

    it("is linked from a guide or the architecture", () => {
      expect(linked.has(record)).toBe(true);
    });
  });
});
