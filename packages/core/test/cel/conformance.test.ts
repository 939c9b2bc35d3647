import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cases, outcomeOf } from "./cases.js";

/** Cases that differ: by reason and section of the suite, their names or `*` for the whole section. */
type Deviations = Readonly<Record<string, Readonly<Record<string, string>>>>;
const deviations: Deviations = JSON.parse(
  readFileSync(new URL("../fixtures/cel-deviations.json", import.meta.url), "utf8"),
);

const entries = Object.entries(deviations).flatMap(([reason, sections]) =>
  Object.entries(sections).map(([section, names]) => ({ reason, section, names: new Set(names.split("; ")) })),
);

/** The reasons why a case may differ, of which there is at most one. */
const reasonsOf = (name: string): readonly string[] => {
  const at = name.lastIndexOf("/");
  return entries
    .filter(({ section, names }) =>
      names.has("*") ? name.startsWith(`${section}/`) : section === name.slice(0, at) && names.has(name.slice(at + 1)),
    )
    .map(({ reason }) => reason);
};

const suites = [...new Set(cases.map(([name]) => name.split("/")[0] ?? ""))];

describe("the language as its makers test it", () => {
  it("is tested by every case of the suite, also those that say no value and mean true", () => {
    expect(cases).toHaveLength(2_344);
    expect(
      cases.filter(([, { value, evalError, typedResult }]) => !value && !evalError && !typedResult).length,
    ).toBeGreaterThan(150);
  });

  it.each(suites)("does what %s says, or a reason is listed", (suite) => {
    const of = cases.filter(([name]) => name.startsWith(`${suite}/`));
    const outcomes = of.map(([name, given]) => ({ name, outcome: outcomeOf(given), listed: reasonsOf(name) }));
    expect(outcomes.filter(({ outcome, listed }) => outcome !== "right" && listed.length !== 1)).toEqual([]);
    expect(outcomes.filter(({ outcome, listed }) => outcome === "right" && listed.length > 0)).toEqual([]);
  });

  it("has a value for most of them, and all that differ are listed", () => {
    const right = cases.filter(([, given]) => outcomeOf(given) === "right").length;
    const listed = cases.filter(([name]) => reasonsOf(name).length > 0).length;
    expect(right + listed).toBe(cases.length);
    expect(right).toBeGreaterThan(850);
  });
});
