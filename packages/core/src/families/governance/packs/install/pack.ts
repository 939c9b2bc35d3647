import type { PolicyFields, PolicyTest, PostureRule } from "../../policies/fields.js";

/** A policy of a pack, with the defaults of its parameters. */
export type PackPolicy = Pick<PolicyFields, "key" | "severity" | "category" | "gate" | "params" | "tests"> & {
  readonly name: string;
  readonly assetTypes: PolicyFields["selector"]["assetTypes"];
  readonly rules: readonly PostureRule[];
};

/** Policies that come with Reeve, as data. */
export interface Pack {
  readonly key: string;
  /** Increases with each version. Tenants with an earlier one can upgrade. */
  readonly version: number;
  readonly name: string;
  readonly policies: readonly PackPolicy[];
}

type Assets = PolicyFields["selector"]["assetTypes"];
export type Input = PolicyTest["input"];

/** The definition of a policy with one rule. */
export interface Line {
  readonly key: string;
  readonly name: string;
  readonly about?: Assets[number];
  readonly assert: string;
  readonly severity: PolicyFields["severity"];
  readonly category: string;
  readonly gate?: true;
  readonly message: string;
  readonly remediation: string;
  readonly controls: readonly string[];
  readonly params?: PolicyFields["params"];
  readonly forEach?: string;
  readonly locus?: string;
  readonly passes: Input;
  readonly fails: Input;
}

/** A policy with one rule and a test of each outcome. */
export function policy(line: Line): PackPolicy {
  const { key, name, about, assert, severity, category, gate = false, message, remediation, controls } = line;
  const through =
    line.forEach === undefined ? {} : { forEach: line.forEach, ...(line.locus ? { locus: line.locus } : {}) };
  // The tests set the parameters themselves, so that they pass whatever a tenant sets.
  const params = line.params ? { params: line.params } : {};
  return {
    key,
    name,
    severity,
    category,
    gate,
    assetTypes: about ? [about] : [],
    params: line.params ?? {},
    rules: [{ key, assert, message, remediation, controls: [...controls], ...through }],
    tests: [
      { name: "is met", input: { ...line.passes, ...params }, expect: "pass" },
      { name: "is not met", input: { ...line.fails, ...params }, expect: "fail" },
    ],
  };
}
