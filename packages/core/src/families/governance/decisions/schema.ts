import { z } from "zod";
import { Time } from "../../../kernel/records/record.js";

export const DECISIONS = ["allow", "deny", "require_approval"] as const;

/** Reasons of a decision: a state, a rule, or the default. */
export const REASON_CODES = [
  "kill_switch",
  "asset_unknown",
  "asset_type_mismatch",
  "asset_denied",
  "session_unknown",
  "session_not_active",
  "session_epoch",
  "session_limit",
  "session_mismatch",
  "policy_error",
  "policy_deny",
  "policy_approval",
  "policy_allow",
  "default",
] as const;

const OfRule = {
  policyKey: z.string().nullable().meta({ description: "`null` where no policy decided." }),
  ruleKey: z.string().nullable(),
  revision: z.int().nullable().meta({ description: "Of the policy." }),
};

export const DecisionReason = z.object({ code: z.enum(REASON_CODES), ...OfRule, message: z.string() });
export type DecisionReason = z.output<typeof DecisionReason>;

export const Obligation = z.object({
  type: z.enum(["warn"]).meta({ description: "`warn`: tell whoever answers for it." }),
  ...OfRule,
  message: z.string(),
});
export type Obligation = z.output<typeof Obligation>;

export const Observed = z.object({
  ...OfRule,
  effect: z.enum(["deny", "require_approval", "warn", "allow", "error"]),
  message: z.string(),
});
export type Observed = z.output<typeof Observed>;

const DecisionContext = z.object({
  reasons: z.array(DecisionReason),
  obligations: z.array(Obligation),
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
  evaluatedAt: Time,
  approval: z
    .object({ id: z.string(), status: z.string(), expiresAt: Time })
    .nullable()
    .meta({ description: "The request for approval that it waits for, or the approval it was allowed by." }),
});

const Outcome = {
  id: z.string().meta({ description: "The events about it name it." }),
  status: z.enum(DECISIONS),
  decision: z.boolean().meta({ description: "Whether it may be done now: true for `allow` alone." }),
};

const Evaluation = z.object({ ...Outcome, context: DecisionContext });
export type Evaluation = z.output<typeof Evaluation>;

/** The answer to a request: `context` for one, `evaluations` for a batch. */
export const Decision = z
  .object({
    ...Outcome,
    context: DecisionContext.optional(),
    evaluations: z.array(Evaluation).optional().meta({
      description: "In the order asked, as far as was evaluated; `status` and `decision` then sum them up.",
    }),
  })
  .meta({ id: "Decision" });
export type Decision = z.output<typeof Decision>;
