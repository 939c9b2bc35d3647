import { ASSET_TYPES, ENVIRONMENTS, Label, Text } from "#families/estate/index.js";
import { SEVERITIES } from "#families/findings/index.js";
import { z } from "#schema/z.js";
import { ParamSchemas, Params } from "./policy-params.js";
import { RuleObligation } from "./rule-obligations.js";

export const POLICY_KINDS = ["posture", "runtime"] as const;
export type PolicyKind = (typeof POLICY_KINDS)[number];

/** The effect of a runtime rule when its condition holds. */
export const EFFECTS_OF_RULES = ["deny", "require_approval", "warn", "allow"] as const;

const Key = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
    "Small letters, digits, dots, dashes and underscores, at most 64.",
  );
export const Expression = z.string().min(1).max(4_096).meta({ description: "A CEL expression that is true or false." });
const Control = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]*:\S[^:]{0,98}$/, "`<framework>:<control>`, as in `nist-ai-rmf-1.0:GOVERN 1.6`.");

const RuleBase = {
  key: Key.meta({ description: "Names the rule in its policy." }),
  when: Expression.optional().meta({ description: "The rule is skipped where this is false." }),
  message: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: "What to tell people; `{asset.name}` stands for what the rule sees." }),
  severity: z.enum(SEVERITIES).optional().meta({ description: "Instead of the policy's." }),
  controls: z
    .array(Control)
    .max(20)
    .default([])
    .meta({ description: "Controls of frameworks that it is evidence for." }),
};

export const PostureRule = z.strictObject({
  ...RuleBase,
  assert: Expression.meta({ description: "Must be true; where it is not, there is a finding." }),
  forEach: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "A list, as in `spec.tools`; the rule is asked of each `item` of it." }),
  locus: z.string().max(100).optional().meta({ description: "What tells items apart, as in `item.name`." }),
  remediation: Text.default("").meta({ description: "How to put it right." }),
});
export type PostureRule = z.output<typeof PostureRule>;

export const RuntimeRule = z.strictObject({
  ...RuleBase,
  effect: z.enum(EFFECTS_OF_RULES).meta({ description: "What happens when it holds." }),
  if: Expression.meta({ description: "The effect holds where this is true." }),
  obligations: z
    .array(RuleObligation)
    .min(1)
    .max(10)
    .optional()
    .meta({ description: "What whoever enforces an answer by this rule has to do." }),
});
export type RuntimeRule = z.output<typeof RuntimeRule>;

export const Rule = z.union([PostureRule, RuntimeRule]);
export type Rule = z.output<typeof Rule>;

const TestInput = z.record(z.string(), z.unknown());

/** What a test expects: the outcome of posture rules, or the strongest effect of runtime rules. */
export const EXPECTATIONS = ["pass", "fail", "skip", "error", ...EFFECTS_OF_RULES, "none"] as const;

export const PolicyTest = z.strictObject({
  name: Label.meta({ description: "Name of the test." }),
  input: TestInput.meta({ description: "Values of the variables; what is left out is absent." }),
  rule: Key.optional().meta({ description: "Of this rule alone." }),
  expect: z.enum(EXPECTATIONS).meta({ description: "What must come of it." }),
});
export type PolicyTest = z.output<typeof PolicyTest>;

export const Selector = z.strictObject({
  assetTypes: z
    .array(z.enum(ASSET_TYPES))
    .max(ASSET_TYPES.length)
    .default([])
    .meta({ description: "These types; empty for all." }),
  environments: z
    .array(z.enum(ENVIRONMENTS))
    .max(ENVIRONMENTS.length)
    .default([])
    .meta({ description: "These environments; empty for all." }),
  expression: Expression.nullable().default(null).meta({ description: "CEL over the asset; `null` for all." }),
});

/** What a caller may set, at the top level of the body or in `configuration`. */
export const PolicyFields = z.object({
  key: Key.meta({ description: "Unique in the tenant; findings are known by it.", example: "prod-needs-approval" }),
  description: Text.meta({ description: "What it is for." }),
  severity: z.enum(SEVERITIES).meta({ description: "How grave its findings are." }),
  category: Label.meta({ description: "The group that lists show the policy in." }),
  gate: z.boolean().meta({ description: "Findings of it hold an asset back from production." }),
  selector: Selector.meta({ description: "The assets it is about; empty lists mean any." }),
  rules: z.array(Rule).max(50).meta({ description: "What it demands, of one kind." }),
  params: Params.meta({ description: "Values that rules read as `params.<name>`." }),
  paramSchemas: ParamSchemas.meta({
    description: "What each parameter must be; one without a schema keeps the type that it has.",
  }),
  tests: z.array(PolicyTest).max(100).meta({ description: "Examples it must get right." }),
});
export type PolicyFields = z.output<typeof PolicyFields>;

export const POLICY_DEFAULTS: Omit<PolicyFields, "key"> = {
  description: "",
  severity: "medium",
  category: "general",
  gate: false,
  selector: { assetTypes: [], environments: [], expression: null },
  rules: [],
  params: {},
  paramSchemas: {},
  tests: [],
};

/** Whether a rule is a runtime rule. */
export function isRuntime(rule: Rule): rule is RuntimeRule {
  return "effect" in rule;
}

/** Whether a policy in force holds anything back: promotions, or actions. */
export function holdsBack({ gate, rules }: Pick<PolicyFields, "gate" | "rules">): boolean {
  return (
    gate || rules.some((rule) => isRuntime(rule) && (rule.effect === "deny" || rule.effect === "require_approval"))
  );
}
