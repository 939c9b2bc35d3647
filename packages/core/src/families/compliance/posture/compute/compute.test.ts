import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinFrameworks } from "#frameworks/index.js";
import { daysMs } from "#ports/durations.js";
import { RESULTS } from "../../records/workflow-states.js";
import { computePosture } from "./compute.js";
import { type ControlInput, digestOf, type PostureInputs, RULE_SEVERITIES } from "./inputs.js";

const NOW = "2026-11-22T12:00:00.000Z";
const POLICIES = ["p1", "p2", "p3"];
const STATUSES = ["open", "acknowledged", "in_progress", "fix_claimed", "exempted", "dismissed", "resolved"];

const few = fc.integer({ min: 0, max: 3 });
const moment = fc.integer({ min: 0, max: 900 }).map((days) => new Date(Date.parse(NOW) - daysMs(days)).toISOString());

const control = (id: string): fc.Arbitrary<ControlInput> =>
  fc.record({
    id: fc.constant(id),
    parent: fc.constant(null),
    title: fc.constant(`Title of ${id}`),
    kind: fc.constantFrom("automated", "manual", "hybrid"),
    applicability: fc.constant(null),
    applies: fc.constantFrom(true, true, true, false, null),
    appliesFrom: fc.constantFrom(null, "2025-02-02", "2027-12-02"),
    roles: fc.constant([]),
    policyRules: fc.subarray([...POLICIES, "p1/r1", "p9"]),
    evidence: fc.constantFrom([], [{ type: "document", minCount: 1, freshnessDays: 365 }]),
    weight: fc.integer({ min: 1, max: 3 }),
    guidance: fc.constant(""),
    automation: fc.constant(""),
    note: fc.constant(""),
    selectable: fc.constant(false),
    sourceRef: fc.constant(""),
    reviewedAt: fc.constant(null),
  });

const CONTROLS = ["C 1", "C 2", "C 3", "C 4"];
const RULES = POLICIES.flatMap((policyKey) => ["r1", "r2"].map((ruleKey) => ({ policyKey, ruleKey })));

const inputs: fc.Arbitrary<PostureInputs> = fc.record({
  evaluationsSince: fc.constant("2026-10-23T00:00:00.000Z"),
  unevaluated: fc.constantFrom<Record<string, number>>({}, {}, { agent: 1 }),
  frameworks: fc.tuple(...CONTROLS.map(control), ...CONTROLS.map(control)).map((controls) =>
    ["f-1", "f-2"].map((key, index) => ({
      ...{ key, name: key, edition: "1", version: 1, roles: [] },
      controls: controls.slice(index * CONTROLS.length, (index + 1) * CONTROLS.length),
    })),
  ),
  rules: fc.tuple(
    ...RULES.map((rule) =>
      fc.record({
        policyKey: fc.constant(rule.policyKey),
        ruleKey: fc.constant(rule.ruleKey),
        severity: fc.constantFrom(...RULE_SEVERITIES),
        evaluated: fc.constantFrom(true, true, true, false),
        assetTypes: fc.constantFrom([], ["agent"], ["tool"]),
        controls: fc.subarray(["f-1:C 1", "f-2:C 4"]),
      }),
    ),
  ),
  standings: fc
    .tuple(
      ...RULES.map((rule) =>
        fc.record({
          policyKey: fc.constant(rule.policyKey),
          ruleKey: fc.constant(rule.ruleKey),
          ...{ pass: few, fail: few, error: fc.constantFrom(0, 0, 1), skip: few, evaluatedAt: moment },
          coveredAt: fc.constantFrom(NOW, NOW, NOW, "2026-10-01T00:00:00.000Z", null),
        }),
      ),
    )
    .chain((rows) => fc.subarray(rows)),
  findings: fc.dictionary(
    fc
      .tuple(fc.constantFrom(...RULES), fc.constantFrom(...STATUSES))
      .map(([{ policyKey, ruleKey }, status]) => `${policyKey}/${ruleKey}:${status}`),
    fc.integer({ min: 1, max: 3 }),
  ),
  records: fc
    .tuple(
      ...["f-1", "f-2"].flatMap((framework) =>
        CONTROLS.map((controlId) =>
          fc.record({
            ...{ id: fc.constant(`cmp_${framework}_${controlId}`), version: fc.constant(1) },
            ...{ framework: fc.constant(framework), controlId: fc.constant(controlId) },
            status: fc.constantFrom(...(Object.keys(RESULTS) as (keyof typeof RESULTS)[])),
            ...{ staleReason: fc.constant(null), nextReviewAt: fc.option(moment) },
            evidence: fc.array(
              fc.record({ type: fc.constant("document" as const), collectedAt: moment, validUntil: fc.constant(null) }),
              { maxLength: 2 },
            ),
          }),
        ),
      ),
    )
    .chain((rows) => fc.subarray(rows)),
});

const scoresOf = (given: PostureInputs) => {
  const { overall, frameworks } = computePosture(given, NOW);
  return [overall, ...frameworks].map(({ score }) => score);
};

describe("a posture", () => {
  it("is the same in whatever order its inputs were read", () => {
    fc.assert(
      fc.property(inputs, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, dice) => {
        const mixed = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, at: dice.next().value as number }))
            .sort((one, other) => one.at - other.at)
            .map(({ item }) => item);
        const other: PostureInputs = {
          ...given,
          frameworks: mixed(given.frameworks),
          rules: mixed(given.rules),
          standings: mixed(given.standings),
          findings: Object.fromEntries(mixed(Object.entries(given.findings))),
          records: mixed(given.records),
        };
        expect(computePosture(other, NOW)).toEqual(computePosture(given, NOW));
      }),
    );
  });

  it("follows from its inputs as they were written down, and their digest changes with any of them", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const kept = JSON.parse(JSON.stringify(given)) as PostureInputs;
        expect(computePosture(kept, NOW)).toEqual(computePosture(given, NOW));
        const [first, ...rest] = given.rules;
        const changed = { ...given, rules: [{ ...first, evaluated: !first?.evaluated }, ...rest] } as PostureInputs;
        expect(digestOf(changed)).not.toBe(digestOf(given));
      }),
    );
  });

  it("has no score before rules or people have assessed anything", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const none = { ...given, standings: [], records: [] };
        expect(scoresOf(none).every((score) => score === null)).toBe(true);
      }),
    );
  });

  it("never falls by a fix: one failure that becomes a pass, its finding resolved", () => {
    fc.assert(
      fc.property(inputs, fc.nat(), fc.constantFrom(...STATUSES.slice(0, 6)), (given, pick, status) => {
        const failing = given.standings.filter(({ fail }) => fail > 0);
        const row = failing[pick % Math.max(failing.length, 1)];
        fc.pre(row !== undefined);
        const key = `${row?.policyKey}/${row?.ruleKey}:${status}`;
        const fixed: PostureInputs = {
          ...given,
          standings: given.standings.map((each) =>
            each === row ? { ...each, fail: each.fail - 1, pass: each.pass + 1 } : each,
          ),
          findings: { ...given.findings, [key]: Math.max((given.findings[key] ?? 0) - 1, 0) },
        };
        const [before, after] = [scoresOf(given), scoresOf(fixed)];
        after.forEach((score, index) => {
          expect(score ?? 100).toBeGreaterThanOrEqual(before[index] ?? 0);
        });
      }),
      { numRuns: 500 },
    );
  });

  it("is neither better nor worse by an exemption", () => {
    fc.assert(
      fc.property(inputs, fc.nat(), (given, pick) => {
        // As evaluations ensure: each failure has a finding, and each finding a failure.
        const open = Object.fromEntries(
          given.standings.flatMap(({ policyKey, ruleKey, fail }) =>
            fail > 0 ? [[`${policyKey}/${ruleKey}:open`, fail] as const] : [],
          ),
        );
        const keys = Object.keys(open);
        const key = keys[pick % Math.max(keys.length, 1)];
        fc.pre(key !== undefined);
        const exempted = {
          ...open,
          [key as string]: (open[key as string] ?? 0) - 1,
          [(key as string).replace(":open", ":exempted")]: 1,
        };
        expect(scoresOf({ ...given, findings: exempted })).toEqual(scoresOf({ ...given, findings: open }));
      }),
    );
  });

  it("is no pass where nothing was evaluated and nobody has assessed anything", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const nothing = given.standings.map((row) => ({ ...row, pass: 0, fail: 0, skip: 5 }));
        const { overall, frameworks } = computePosture(
          { ...given, standings: nothing, findings: {}, records: [] },
          NOW,
        );
        expect([overall.score, overall.coverage]).toEqual([null, 0]);
        expect(frameworks.flatMap(({ controls }) => controls.filter(({ state }) => state === "compliant"))).toEqual([]);
      }),
    );
  });

  it("has no compliant control with an open or unknown result, nor one that rests on nothing", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        for (const { controls } of computePosture(given, NOW).frameworks) {
          for (const { state, rules, control, recordId, requirements } of controls) {
            if (state !== "compliant") continue;
            expect([rules.open, rules.error, rules.fail, rules.idle, rules.missing]).toEqual([0, 0, 0, [], []]);
            expect([rules.stale, rules.unevaluated]).toEqual([[], 0]);
            if (control.kind === "automated" || rules.mapped > 0) expect(rules.pass).toBeGreaterThan(0);
            if (control.kind !== "automated") expect(recordId).not.toBeNull();
            if (control.kind !== "automated")
              expect(requirements.filter(({ fresh, wanted }) => fresh < wanted)).toEqual([]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("counts every control once, and its numbers stay within their bounds", () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { overall, frameworks } = computePosture(given, NOW);
        for (const each of [overall, ...frameworks]) {
          const { applicable, compliant, partial, nonCompliant, exempted, notAssessed } = each;
          expect(compliant + partial + nonCompliant + exempted + notAssessed).toBe(applicable);
          if (each.coverage === 0) expect(each.score === null || applicable > 1_000).toBe(true);
          expect(each.score ?? 0).toBeLessThanOrEqual(100);
        }
        const all = frameworks.reduce((sum, { controls }) => sum + controls.length, 0);
        expect(overall.applicable + overall.notApplicable + overall.upcoming).toBe(all);
      }),
    );
  });
});

const NOTHING = {
  evaluationsSince: NOW,
  unevaluated: {},
  frameworks: [],
  rules: [],
  standings: [],
  findings: {},
  records: [],
};

describe("the built-in frameworks", () => {
  it("have no score for an empty estate", async () => {
    const frameworks = (await builtinFrameworks()).map((framework) => ({
      ...framework,
      roles: [],
      controls: framework.controls.map((each) => ({ ...each, applies: each.applicability === null })),
    }));
    const posture = computePosture({ ...NOTHING, frameworks }, NOW);
    expect(posture.frameworks.map(({ score, coverage }) => [score, coverage])).toEqual(frameworks.map(() => [null, 0]));
    expect(posture.frameworks.find(({ framework }) => framework.key === "owasp-agentic-2026")).toMatchObject({
      notApplicable: 10,
      applicable: 0,
    });
  });
});
