import { describe, expect, it } from "vitest";
import { builtinFramework, builtinFrameworks, type FrameworkControl, type ROLES } from "./index.js";

const frameworks = await builtinFrameworks();
const all = frameworks.flatMap(({ key, controls }) => controls.map((control) => ({ key, ...control })));
const act = (await builtinFramework("eu-ai-act-2024-1689"))?.controls ?? [];
const iso = (await builtinFramework("iso-42001-2023"))?.controls ?? [];
const named = (controls: readonly { id: string }[]) => controls.map(({ id }) => id);
const article = ({ id }: FrameworkControl) => Number(/^\d+/.exec(id)?.[0]);
const some = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("the guidance of built-in frameworks", () => {
  it("G-M4 is each control's own, concrete enough to act on, and says what shows it", () => {
    const held = new Map<string, string[]>();
    for (const { key, id, guidance } of all) held.set(guidance, [...(held.get(guidance) ?? []), `${key}:${id}`]);
    expect([...held.values()].filter((controls) => controls.length > 1)).toEqual([]);
    expect(all.filter(({ guidance }) => guidance.length < 60)).toEqual([]);
    const shows = /attach|evidence|rules?\b|declare/i;
    expect(named(all.filter(({ guidance }) => !shows.test(guidance)))).toEqual([]);
  });

  it("G14 has a reason why passes of its rules are evidence, and what they leave open, wherever rules judge", () => {
    expect(
      named(all.filter(({ policyRules, automation }) => policyRules.length > 0 !== automation.length > 60)),
    ).toEqual([]);
    const open = /\bnot\b|\bnor\b/;
    expect(named(all.filter(({ automation }) => automation !== "" && !open.test(automation)))).toEqual([]);
    // What passes leave open is for people to judge, so that rules alone judge none.
    expect(named(all.filter(({ kind }) => kind === "automated"))).toEqual([]);
  });

  it("is beside a title that no other control of the framework has", () => {
    for (const { controls } of frameworks)
      expect(new Set(controls.map(({ title }) => title)).size).toBe(controls.length);
  });
});

describe("the EU AI Act", () => {
  it("G-M4 stands by paragraph for each article that binds an operator", () => {
    expect([...new Set(act.map(article))].sort((one, other) => one - other)).toEqual([
      ...some(4, 6),
      ...some(8, 27),
      ...[43, 47, 48, 49, 50, 53, 54, 55, 72, 73, 86],
    ]);
    expect(named(act.filter(({ id }) => id !== "4" && !/^\d+\(\w+\)/.test(id)))).toEqual([]);
    expect(act.every(({ id, sourceRef }) => sourceRef.endsWith(`Article ${id}`))).toBe(true);
  });

  it("G-M4 says of each paragraph whom it binds: each role has its own duties", () => {
    const articlesOf = (role: (typeof ROLES)[number]) => [
      ...new Set(act.filter(({ roles }) => roles.includes(role)).map(article)),
    ];
    expect(articlesOf("importer")).toEqual([23, 25]);
    expect(articlesOf("distributor")).toEqual([24, 25]);
    expect(articlesOf("gpai_provider")).toEqual([53, 54, 55]);
    expect(articlesOf("deployer")).toEqual([4, 5, 25, 26, 27, 49, 50, 86]);
    expect(articlesOf("provider")).toEqual([4, 6, ...some(8, 22), 25, 43, 47, 48, 49, 50, 72, 73]);
    // What is prohibited binds everybody.
    expect([...new Set(act.filter(({ roles }) => roles.length === 0).map(article))]).toEqual([5]);
  });

  it("G-M4 says from which day each paragraph binds, and where that is uncertain", () => {
    const days: Record<string, number[]> = {};
    for (const control of act) {
      const day = control.appliesFrom ?? "never";
      days[day] = [...new Set([...(days[day] ?? []), article(control)])];
    }
    expect(days).toEqual({
      "2025-02-02": [4, 5],
      "2025-08-02": [53, 54, 55],
      "2026-08-02": [43, 47, 48, 49, 50, 72, 73, 86],
      "2026-12-02": [5],
      "2027-12-02": [6, ...some(8, 27)],
      "2028-08-02": [6],
    });
    const unsettled = act.filter(({ appliesFrom }) => appliesFrom !== null && appliesFrom > "2026-08-02");
    expect(unsettled.filter(({ note }) => note === "")).toEqual([]);
  });
});

describe("ISO/IEC 42001", () => {
  it("G-M4 has clauses 4 to 10 beside Annex A, and only Annex A in the statement of applicability", () => {
    const clauses = iso.filter(({ id }) => !id.startsWith("A."));
    expect([...new Set(clauses.map(article))]).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(clauses).toHaveLength(32);
    expect(clauses.some(({ selectable }) => selectable)).toBe(false);
    const annex = iso.filter(({ selectable }) => selectable);
    expect(annex).toHaveLength(38);
    expect(annex.every(({ id }) => id.startsWith("A."))).toBe(true);
  });
});
