import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS } from "@reeve/core/reference";
import { describe, expect, it } from "vitest";
import { refusalTexts } from "../../packages/core/test/kernel/refusal-texts.js";
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

/** A subject that has to be read twice. */
const NO_SUBJECT = /^(What (?!is\b)[^?]*$|Nobody\b|Nothing\b)/;

/** What options and refusals say: the meanings of options, titles and remedies of errors, and texts in the sources. */
const said = [
  ...readFileSync(join(root, "docs/reference/options.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(" | ").at(-1) ?? ""),
  ...Object.values(ERRORS).flatMap(([, title, remedy]) => [title, remedy]),
  ...refusalTexts()
    .filter(({ file }) => !file.startsWith("families/governance/packs/"))
    .map(({ text }) => text),
].flatMap((text) => text.split(/(?<=[.!?:;]) /));

describe("the sentences of options and refusals", () => {
  it("name their subject too, and use the plain word", () => {
    expect(said.length).toBeGreaterThan(900);
    expect(said.filter((one) => NO_SUBJECT.test(one) || /\bautomatically\b/.test(one))).toEqual([]);
  });
});

describe("the sentences of the guides", () => {
  it("name their subject: who acts, or the thing that is meant", () => {
    expect(sentences.length).toBeGreaterThan(3_000);
    expect(sentences.filter((one) => NO_SUBJECT.test(one))).toEqual([]);
  });

  it("have at most thirty words, but for those that are left", () => {
    const long = sentences.filter((one) => one.split(" ").length > MOST_WORDS);
    expect(long.length, long.join("\n")).toBeLessThanOrEqual(LONGER);
  });
});
