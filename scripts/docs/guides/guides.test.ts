import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../lib/workspace.mjs";
import { blocksOf, pages } from "./blocks.js";
import { compileErrors } from "./compile.js";
import { readJobs } from "./jobs.js";
import { playPage } from "./play.js";
import { asideOf, SET_ASIDE } from "./set-aside.js";
import { differences } from "./shown.js";

const played = pages.filter((page) => blocksOf(page).some((block) => block.language !== "mermaid" && !asideOf(block)));

/** The guides to what people do. */
const STORIES = [
  ...["access", "agent-tools", "audit", "decisions", "evaluations", "halts", "host-sign-on", "imports"],
  ...["machine-identities", "operations", "policies", "reviews", "sessions", "sign-on"],
];

/** No page: what the compiler has to find. */
const MISSPELT = "docs/guides/misspelt.md";
const WRONG =
  'Text.\n\n```ts\nawait controlPlane.call("aiAssets.create", undefined, {\n  body: { riskTeir: "high" },\n});\n```\n';

let folder: string;
let compiled: Promise<string[]>;
let before: string[];
beforeAll(() => {
  before = readdirSync(root);
  folder = mkdtempSync(join(tmpdir(), "reeve-guides-"));
  mkdirSync(join(folder, "data"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "tsconfig.json"), "{}");
  const blocks = pages.map((page) => [page, blocksOf(page)] as const);
  compiled = compileErrors(new Map([...blocks, [MISSPELT, blocksOf(MISSPELT, WRONG)]]), join(folder, "compiled"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("as it is written, runs", () => {
  it.each(played)("%s", async (page) => {
    const { faults, calls } = await playPage(page, folder);
    expect(faults).toEqual([]);
    const done = readJobs().filter((job) => job.page === page);
    expect(done.map(({ name, section }) => [name, calls.of(section)])).toEqual(
      done.map((job) => [job.name, job.calls]),
    );
  });

  it("leaves no file in the repository", () => expect(readdirSync(root)).toEqual(before));
});

describe("a story that a newcomer plays from start to end", () => {
  it.each(STORIES)("is in %s.md", (name) => {
    const story = blocksOf(`docs/guides/${name}.md`).filter(({ section }) => section === "from-start-to-end");
    expect(story.filter((block) => block.language !== "json" && !asideOf(block)).length).toBeGreaterThan(0);
    expect(story.filter(({ language }) => language === "json").length).toBeGreaterThan(0);
  });
});

describe("the table of jobs", () => {
  it("names a story for each", () => {
    const jobs = readJobs();
    expect(jobs).toHaveLength(10);
    const sections = jobs.map(
      ({ page, section }) => blocksOf(page).filter((block) => block.section === section).length,
    );
    expect(Math.min(...sections)).toBeGreaterThan(0);
  });
});

describe("the code of all pages", () => {
  it("compiles with the packages, whose types know every field, and an error names its page and line", async () => {
    expect(await compiled).toEqual([
      expect.stringMatching(/^docs\/guides\/misspelt\.md:5: .*'riskTeir' does not exist/),
    ]);
  });
});

describe("what is not run", () => {
  it.each(SET_ASIDE)("is a block that is there, for a reason: $page, $block", ({ page, block, by }) => {
    const set = blocksOf(page).filter((each) => asideOf(each)?.block === block);
    expect(set).toHaveLength(1);
    if (!by) return;
    const test = readFileSync(join(root, "scripts/docs", by), "utf8");
    expect(test).toContain(page);
    expect(set[0]?.name === "" || test.includes(`"${set[0]?.name}"`)).toBe(true);
  });
});

describe("an answer", () => {
  it("is as it is shown where ids, times and what is left out agree", () => {
    const actual = { id: "ast_01KE", at: "2026-01-05T09:00:00.000Z", items: [{ name: "a", more: 1 }], more: 2 };
    const shown = { id: "ast_01K…", at: "2027-05-05T09:00:00.000Z", items: [{ name: "a" }] };
    expect(differences(shown, actual)).toEqual([]);
    expect(differences({ ...shown, items: [{ name: "b" }] }, actual)).toEqual(["/items/0/name: shown b, is a"]);
    expect(differences({ none: 1 }, actual)).toEqual(["/none: shown 1, is absent"]);
  });
});
