import { readFileSync } from "node:fs";
import { join } from "node:path";
import { machines } from "@reeve/core/reference";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { blocksOf, pages, placeOf } from "./guides/blocks.js";
import { diagram } from "./states.js";

const KINDS = ["flowchart", "stateDiagram-v2", "erDiagram", "sequenceDiagram", "gantt", "quadrantChart"];

const drawn = pages.flatMap((page) => blocksOf(page).filter(({ language }) => language === "mermaid"));
const stated = drawn.filter(({ text }) => text.startsWith("stateDiagram-v2"));
const trimmed = (text: string) => text.split("\n").map((line) => line.trim());

/** The transitions of the machine that the comment above a diagram names, without the events that it leaves out. */
function transitions(page: string, line: number): string[] {
  const above = readFileSync(join(root, page), "utf8")
    .split("\n")
    .slice(0, line - 1)
    .join("\n");
  const [, name, without = ""] = /<!-- machine: (\w+)(?:, without ([\w ]+))? -->\n\n$/.exec(`${above}\n`) ?? [];
  const machine = machines.find((each) => each.name === name);
  if (!machine) throw new Error("no comment names its machine: <!-- machine: <name> -->");
  const omitted = without.split(" ").filter(Boolean);
  expect(omitted.filter((event) => !machine.transitions.some((row) => row.event === event))).toEqual([]);
  return trimmed(diagram(machine))
    .filter((each) => each.includes("-->") && !omitted.some((event) => each.endsWith(`: ${event}`)))
    .sort();
}

describe("the pictures", () => {
  it.each(stated.map((block) => [placeOf(block), block] as const))("%s is as its machine", (_place, block) => {
    const shown = trimmed(block.text).filter((each) => each.includes("-->"));
    expect(shown.sort()).toEqual(transitions(block.page, block.line));
  });

  it("are of kinds that GitHub draws, and those of the concepts not only flowcharts", () => {
    const kindOf = ({ text }: { readonly text: string }) => text.split(/\s/)[0] ?? "";
    expect(drawn.filter((block) => !KINDS.includes(kindOf(block))).map((block) => placeOf(block))).toEqual([]);
    const concepts = drawn.filter(({ page }) => page === "docs/concepts.md");
    expect(new Set(concepts.map(kindOf))).toEqual(new Set(KINDS));
  });
});
