import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, root } from "../lib/workspace.mjs";

/** The most words of a sentence that is read once, and how many longer ones are left. Lower it whenever one goes. */
const MOST_WORDS = 30;
const LONGER = 26;

const pages = [
  join(root, "README.md"),
  ...["tutorial.md", "jobs.md", "concepts.md", "glossary.md"].map((page) => join(root, "docs", page)),
  ...filesBelow(join(root, "docs/guides"), (file) => file.endsWith(".md")),
];

/** The sentences of a page, without code, headings and tables. */
function sentencesOf(page: string): string[] {
  const text = readFileSync(page, "utf8").replaceAll(/```[\s\S]*?```/g, "");
  const prose = text.replaceAll(/^(\||#).*$/gm, "");
  return prose
    .split(/\n\s*\n|\n *- /)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?:]) /))
    .map((sentence) => sentence.replace(/^[\s*-]+/, ""))
    .filter((sentence) => sentence !== "");
}

const sentences = pages.flatMap(sentencesOf);

describe("the sentences of the guides", () => {
  it("name their subject: who acts, or the thing that is meant", () => {
    expect(sentences.length).toBeGreaterThan(3_000);
    expect(sentences.filter((one) => /^(What (?!is\b)[^?]*$|Nobody\b|Nothing\b)/.test(one))).toEqual([]);
  });

  it("have at most thirty words, but for those that are left", () => {
    const long = sentences.filter((one) => one.split(" ").length > MOST_WORDS);
    expect(long.length, long.join("\n")).toBeLessThanOrEqual(LONGER);
  });
});
