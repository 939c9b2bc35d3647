import { expect, it } from "vitest";
import { celEngine } from "#cel/engine.js";
import { manualClock } from "#ports/clock.js";
import { postureVocabulary } from "../../policies/compile/vocabulary.js";
import { evidenceOf } from "./evidence.js";

const environment = celEngine({ clock: manualClock("2026-01-11T12:00:00.000Z") }).environment(
  postureVocabulary("agent"),
);
const asset = { name: "Agent", autonomy: "supervised", environment: "production", ageDays: 3, relations: [] };

const digestOf = (assert: string, change: object) => {
  const compiled = environment.compile(assert);
  if (!compiled.ok) throw new Error(compiled.fault.message);
  const rule = { key: "one", assert, message: "It fails.", controls: [], remediation: "" };
  const { reads } = compiled.program;
  const compiledRule = { rule, environment, when: undefined, condition: compiled.program, reads };
  return evidenceOf(compiledRule, { asset: { ...asset, ...change } }).digest;
};

it.each([
  'asset.autonomy == "x" + asset.name',
  '(asset.name == "Agent" ? asset : asset).autonomy == "x"',
  '[asset].exists(a, a.autonomy == "x") && asset.name != ""',
  'asset["auto" + "nomy"] == "x"',
])("the evidence of %s is other evidence once what it reads has changed, and not by time alone", (assert) => {
  const before = digestOf(assert, {});
  expect(digestOf(assert, { autonomy: "autonomous" })).not.toBe(before);
  expect(digestOf(assert, { ageDays: 4 })).toBe(before);
});
