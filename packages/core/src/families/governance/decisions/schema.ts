import { DependencyStep } from "#families/estate/index.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { OBLIGATION_TYPES } from "../policies/rule-obligations.js";

export const DECISIONS = ["allow", "deny", "require_approval"] as const;

/** Reasons of a decision: a state, a rule, or the default. */
export const REASON_CODES = [
  "kill_switch",
  "halt",
  "asset_unknown",
  "asset_type_mismatch",
  "asset_denied",
  "not_related",
  "session_unknown",
  "session_not_active",
  "session_epoch",
  "session_limit",
  "session_mismatch",
  "policy_error",
  "policy_deny",
  "policy_approval",
  "tool_approval",
  "policy_allow",
  "obligation_unsupported",
  "default",
] as const;

const OfRule = {
  policyKey: z.string().nullable().meta({ description: "`null` where no policy decided." }),
  ruleKey: z.string().nullable().meta({ description: "Key of the rule." }),
  revision: z.int().nullable().meta({ description: "Of the policy." }),
};

export const DecisionReason = z.object({
  code: z.enum(REASON_CODES).meta({ description: "What kind of reason." }),
  ...OfRule,
  message: z.string().meta({ description: "The reason in words." }),
  path: z
    .array(DependencyStep)
    .optional()
    .meta({ description: "From an asset to what it depends on and that denies it." }),
});
export type DecisionReason = z.output<typeof DecisionReason>;

export const Obligation = z.object({
  type: z.enum(["warn", ...OBLIGATION_TYPES]).meta({
    description: "`warn`: tell whoever answers for it. Each other one must be done, or the answer is a denial.",
  }),
  ...OfRule,
  message: z.string().meta({ description: "What to tell." }),
  id: z.string().optional().meta({ description: "Names it within the answer; absent of `warn`." }),
  properties: AnyObject.optional().meta({ description: "What is to be done, by its type; absent of `warn`." }),
});
export type Obligation = z.output<typeof Obligation>;

export const Observed = z.object({
  ...OfRule,
  effect: z
    .enum(["deny", "require_approval", "warn", "allow", "error"])
    .meta({ description: "What it would have done." }),
  message: z.string().meta({ description: "The reason in words." }),
});
export type Observed = z.output<typeof Observed>;

const DecisionContext = z.object({
  reasons: z.array(DecisionReason).meta({ description: "What the decision rests on." }),
  obligations: z.array(Obligation).meta({ description: "What the caller has to do." }),
  observed: z.array(Observed).meta({ description: "What policies under observation say; nothing hangs on it." }),
  sessionEpoch: z
    .int()
    .nullable()
    .meta({ description: "`controlEpoch` of the session; an answer of an older one is worth nothing." }),
  ttlMs: z
    .int()
    .min(0)
    .meta({ description: "How long the answer may be used again for the same request, from `evaluatedAt`." }),
  actionDigest: z.string().meta({ description: "SHA-256 of subject, action and resource in canonical form." }),
  evaluatedAt: Time.meta({ description: "When it was decided." }),
  approval: z
    .object({
      id: z.string().meta({ description: "Id of the approval." }),
      status: z.string().meta({ description: "State of the approval." }),
      expiresAt: Time.meta({ description: "When the approval ends." }),
    })
    .nullable()
    .meta({ description: "The request for approval that it waits for, or the approval it was allowed by." }),
});

const Outcome = {
  id: z.string().meta({ description: "The events about it name it." }),
  status: z.enum(DECISIONS).meta({ description: "What was decided." }),
  decision: z.boolean().meta({ description: "Whether it may be done now: true for `allow` alone." }),
};

const Evaluation = z.object({
  ...Outcome,
  context: DecisionContext.meta({ description: "What goes with the decision." }),
});
export type Evaluation = z.output<typeof Evaluation>;

/** The answer to a request: `context` for one, `evaluations` for a batch. */
export const Decision = z
  .object({
    ...Outcome,
    context: DecisionContext.optional().meta({ description: "What goes with the decision." }),
    evaluations: z.array(Evaluation).optional().meta({
      description: "In the order asked, as far as was evaluated; `status` and `decision` then sum them up.",
    }),
  })
  .meta({ id: "Decision" });
export type Decision = z.output<typeof Decision>;
