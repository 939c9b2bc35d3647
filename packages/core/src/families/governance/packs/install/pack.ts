import type { PolicyFields, PolicyTest, PostureRule } from "../../policies/fields.js";

/** A policy of a pack, with the defaults of its parameters. */
export type PackPolicy = Pick<
  PolicyFields,
  "key" | "description" | "severity" | "category" | "gate" | "params" | "paramSchemas" | "tests"
> & {
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

/** A parameter of a pack: its schema, with the value that it has at first. */
type Parameter = PolicyFields["paramSchemas"][string] & { readonly default: PolicyFields["params"][string] };

/** A parameter that is a number of days, up to ten years. */
export const days = (value: number): Parameter => ({ type: "integer", minimum: 0, maximum: 3_650, default: value });

/** The definition of a policy with one rule. */
export interface Line {
  readonly key: string;
  readonly name: string;
  readonly about?: Assets[number];
  /** What a pass shows, and what it does not. */
  readonly description: string;
  /** Where it applies. Elsewhere it is skipped, which is no pass. */
  readonly when?: string;
  readonly assert: string;
  readonly severity: PolicyFields["severity"];
  readonly category: string;
  readonly gate?: true;
  readonly message: string;
  readonly remediation: string;
  readonly controls: readonly string[];
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly forEach?: string;
  readonly locus?: string;
  readonly passes: Input;
  readonly fails: Input;
}

/** The input of a test: an asset with these fields, and its typed record. */
export const asset = (fields: object, spec?: object): Input => ({
  asset: { name: "An asset", ...fields },
  ...(spec ? { spec } : {}),
});

/** A policy with one rule and a test of each outcome. */
export function policy(line: Line): PackPolicy {
  const {
    key,
    name,
    about,
    description,
    when,
    assert,
    severity,
    category,
    gate = false,
    message,
    remediation,
    controls,
  } = line;
  const through =
    line.forEach === undefined ? {} : { forEach: line.forEach, ...(line.locus ? { locus: line.locus } : {}) };
  const paramSchemas = line.params ?? {};
  const params = Object.fromEntries(Object.entries(paramSchemas).map(([name, schema]) => [name, schema.default]));
  // The tests set the parameters themselves, so that they pass whatever a tenant sets.
  const set = line.params ? { params } : {};
  return {
    key,
    name,
    severity,
    category,
    gate,
    assetTypes: about ? [about] : [],
    params,
    paramSchemas: { ...paramSchemas },
    description,
    rules: [{ key, ...(when ? { when } : {}), assert, message, remediation, controls: [...controls], ...through }],
    tests: [
      { name: "is met", input: { ...line.passes, ...set }, expect: "pass" },
      { name: "is not met", input: { ...line.fails, ...set }, expect: "fail" },
    ],
  };
}
