import type { components } from "../../../api/client.js";
import type { AssetType, EFFECTS, ENVIRONMENTS, EXPECTATIONS, Policy, Rule } from "../terms.js";

type PolicyRequest = components["schemas"]["PolicyRequest"];
export type Request = Omit<PolicyRequest, "rules"> & { readonly rules: readonly Rule[] };

/** A rule as it stands in the form. Empty fields are left out of what is sent. */
export interface RuleDraft {
  readonly id: number;
  readonly key: string;
  readonly when: string;
  /** `assert` of a rule over assets, `if` of one over actions. */
  readonly condition: string;
  readonly effect: (typeof EFFECTS)[number];
  readonly forEach: string;
  readonly locus: string;
  readonly message: string;
  readonly remediation: string;
  readonly severity: Policy["severity"] | "";
  readonly controls: string;
}

export interface TestDraft {
  readonly id: number;
  readonly name: string;
  readonly expect: (typeof EXPECTATIONS)[number];
  readonly rule: string;
  readonly input: string;
}

/** A policy as it stands in the form. Objects of any shape are edited as JSON. */
export interface Draft {
  readonly name: string;
  readonly key: string;
  readonly kind: Policy["kind"];
  readonly description: string;
  readonly category: string;
  readonly severity: Policy["severity"];
  readonly gate: boolean;
  readonly assetTypes: readonly AssetType[];
  readonly environments: readonly (typeof ENVIRONMENTS)[number][];
  readonly expression: string;
  readonly rules: readonly RuleDraft[];
  readonly params: string;
  readonly paramSchemas: string;
  readonly tests: readonly TestDraft[];
}

let last = 0;
/** Ids of entries of a form, which stay theirs while others are added and taken away. */
const nextId = () => {
  last += 1;
  return last;
};

export const newRule = (): RuleDraft => ({
  ...{ id: nextId(), key: "", when: "", condition: "", effect: "require_approval" as const, forEach: "", locus: "" },
  ...{ message: "", remediation: "", severity: "" as const, controls: "" },
});

export const newTest = (kind: Policy["kind"]): TestDraft => ({
  ...{ id: nextId(), name: "", expect: kind === "posture" ? ("pass" as const) : ("none" as const), rule: "" },
  input: kind === "posture" ? '{ "asset": {} }' : '{ "action": { "name": "" } }',
});

export const newDraft = (): Draft => ({
  ...{ name: "", key: "", kind: "posture" as const, description: "", category: "general" },
  ...{ severity: "medium" as const, gate: false, assetTypes: [], environments: [], expression: "" },
  ...{ rules: [newRule()], params: "{}", paramSchemas: "{}", tests: [] },
});

const written = (value: unknown) => JSON.stringify(value, null, 2);

export function draftOf(policy: Policy): Draft {
  const { name, key, kind, description, category, severity, gate, selector, rules, params, paramSchemas, tests } =
    policy;
  return {
    ...{ name, key, kind, category, severity, gate },
    description: description ?? "",
    assetTypes: selector.assetTypes ?? [],
    environments: selector.environments ?? [],
    expression: selector.expression ?? "",
    rules: rules.map(ruleDraftOf),
    params: written(params),
    paramSchemas: written(paramSchemas),
    tests: tests.map(({ input, rule = "", ...test }) => ({ ...test, id: nextId(), rule, input: written(input) })),
  };
}

function ruleDraftOf(rule: Rule): RuleDraft {
  const { key, message, when = "", severity = "", controls = [] } = rule;
  const shared: RuleDraft = { ...newRule(), key, message, when, severity, controls: controls.join("\n") };
  if ("effect" in rule) return { ...shared, condition: rule.if, effect: rule.effect };
  const { assert, forEach = "", locus = "", remediation = "" } = rule;
  return { ...shared, condition: assert, forEach, locus, remediation };
}

/** What is sent, or where the form holds no JSON, by pointers as the server names places. */
export function requestOf(draft: Draft): { readonly request: Request; readonly faults: ReadonlySet<string> } {
  const faults = new Set<string>();
  const parsed = (text: string, pointer: string) => {
    const value = jsonOf(text);
    if (value === undefined) faults.add(pointer);
    return value ?? {};
  };
  const { name, key, kind, description, category, severity, gate, assetTypes, environments, expression } = draft;
  const request = {
    ...{ name, key, kind, description, category, severity, gate },
    selector: { assetTypes: [...assetTypes], environments: [...environments], expression: expression.trim() || null },
    rules: draft.rules.map((rule) => ruleOf(rule, kind)),
    params: parsed(draft.params, "/params"),
    paramSchemas: parsed(draft.paramSchemas, "/paramSchemas"),
    tests: draft.tests.map(({ name: named, expect, rule, input }, at) => ({
      ...{ name: named, expect, input: parsed(input, `/tests/${at}/input`) },
      ...(rule === "" ? {} : { rule }),
    })),
  };
  return { request: request as unknown as Request, faults };
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function ruleOf(draft: RuleDraft, kind: Policy["kind"]): Rule {
  const { key, condition, when, message, severity, controls, effect, forEach, locus, remediation } = draft;
  const shared = {
    ...{ key, message },
    ...(when.trim() === "" ? {} : { when }),
    ...(severity === "" ? {} : { severity }),
    controls: controls
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  };
  if (kind === "runtime") return { ...shared, effect, if: condition };
  return {
    ...shared,
    ...{ assert: condition, remediation },
    ...(forEach === "" ? {} : { forEach }),
    ...(locus === "" ? {} : { locus }),
  };
}

/** Whether all is there that the server needs to check it. */
export function isComplete({ name, key, rules, tests }: Draft): boolean {
  return (
    name.trim() !== "" &&
    key !== "" &&
    rules.every((rule) => rule.key !== "" && rule.condition.trim() !== "" && rule.message !== "") &&
    tests.every((test) => test.name !== "")
  );
}
