import { RISK_LEVELS } from "#families/access/index.js";
import { Duration } from "#kernel/records/duration.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Ids = z.array(z.string().max(64)).max(200);

const Selector = z.object({
  assignmentIds: Ids.optional().meta({ description: "Only the assignments with these ids." }),
  assetIds: Ids.optional().meta({ description: "Those of these assets." }),
  connectorInstanceIds: Ids.optional().meta({ description: "Those in these targets." }),
  profileIds: Ids.optional().meta({ description: "Those of these access profiles." }),
});

/** Which access a campaign is about. All of it must hold. */
export const CertificationScope = z
  .strictObject({
    ...Selector.shape,
    riskAtLeast: z.enum(RISK_LEVELS).optional().meta({ description: "Of this risk or a greater one." }),
    unusedDays: z
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .meta({ description: "Not used for so many days. What nobody knows the use of is not among it." }),
    driftOpen: z
      .boolean()
      .optional()
      .meta({ description: "Whether the target differs from what was granted. What nobody knows is among both." }),
    conflictsOnly: z.boolean().optional().meta({ description: "It conflicts with other access, or nobody knows." }),
    includePermanent: z.boolean().optional().meta({ description: "Whether access without an end is among it; it is." }),
    exclude: z
      .array(
        z.strictObject({
          ...Selector.shape,
          reason: z.string().trim().min(10).max(2_000).meta({ description: "The reason in words." }),
        }),
      )
      .max(50)
      .optional()
      .meta({ description: "What is shown and not decided about." }),
  })
  .meta({ id: "AccessCertificationScope", description: "Which access it is about. All of it must hold." });
type Scope = z.output<typeof CertificationScope>;
/** A scope with its defaults. */
export type CertificationScope = Scope & Required<Pick<Scope, "includePermanent" | "exclude">>;

export const scopeOf = (given: Scope): CertificationScope => ({ includePermanent: true, exclude: [], ...given });

export const REVIEWERS = ["asset_owner", "resource_owner", "profile_owner", "users", "group"] as const;
export const STRATEGIES = ["one_accepts", "one_denies", "all_accept", "quorum"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A round of review. A denial in any round is final; what is accepted goes on to the next one. */
export const CertificationStage = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional().meta({ description: "What it is called." }),
    reviewer: z.enum(REVIEWERS).meta({
      description: "Who reviews: owner of the asset, of the connection, approver of the profile, users or a role.",
    }),
    userIds: Ids.min(1).max(50).optional().meta({ description: "The reviewers, for `users`." }),
    group: z.string().max(64).optional().meta({ description: "The role of the reviewers, for `group`." }),
    strategy: z
      .enum(STRATEGIES)
      .optional()
      .meta({ description: "When their decisions decide; `one_denies` if absent." }),
    quorum: z.int().min(1).max(50).optional().meta({ description: "How many must agree; more than half if absent." }),
    duration: Duration.optional().meta({ description: "How long they have; `P14D` if absent." }),
    onNoReviewer: z.enum(["fallback", "hold"]).optional().meta({
      description:
        "Where nobody may review: `fallback` to `fallbackUserIds`, then the owner of the campaign, as usual; or nobody.",
    }),
    fallbackUserIds: Ids.max(50).optional().meta({ description: "Who reviews then." }),
  })
  .meta({ id: "AccessCertificationStage" });
type Stage = z.output<typeof CertificationStage>;
/** A stage with its defaults. */
export type CertificationStage = Stage &
  Required<Pick<Stage, "strategy" | "duration" | "onNoReviewer" | "fallbackUserIds">>;

export const stageOf = (given: Stage): CertificationStage => ({
  ...{ strategy: "one_denies", duration: "P14D", onNoReviewer: "fallback", fallbackUserIds: [] },
  ...given,
});

/** The stages of a campaign that names none. */
export const USUAL_STAGES: CertificationStage[] = [stageOf({ reviewer: "asset_owner" })];

export const Remediation = z
  .strictObject({
    mode: z.enum(["on_close", "immediate", "report_only"]).optional().meta({
      description: "Whether decisions are carried out after the close, as usual, at once, or never.",
    }),
    undoWindow: Duration.optional().meta({ description: "How long each decision can be undone before; `PT24H`." }),
  })
  .meta({ id: "AccessCertificationRemediation", description: "What follows from decisions." });

type Remediating = z.output<typeof Remediation>;

export const remediationOf = (given: Remediating): Required<Remediating> => ({
  ...{ mode: "on_close", undoWindow: "PT24H" },
  ...given,
});

/** What somebody says of a campaign when it begins. */
export const CertificationFields = z.object({
  description: z.string().max(2_000).nullable().meta({ description: "What it is for." }),
  kind: z.enum(["campaign", "micro", "emergency_review"]).meta({
    description: "A campaign, a look at few, or the review after emergency access, which its end does not resolve.",
  }),
  ownerId: z.string().max(64).meta({ description: "Id of the user who answers for it; who begins it if absent." }),
  scope: CertificationScope,
  stages: z.array(CertificationStage).min(1).max(5).meta({ description: "The rounds of review, in order." }),
  startAt: Time.meta({ description: "When it starts; now if absent." }),
  dueAt: Time.nullable().meta({ description: "When it closes at the latest; after its stages if absent." }),
  remediation: Remediation,
  onSilence: z.enum(["keep_and_flag", "escalate", "revoke"]).meta({
    description: "What happens to what nobody has decided.",
  }),
  confirmSilentRevoke: z.boolean().meta({ description: "Must be true for `revoke`." }),
  maxAutoRevokePercent: z.int().min(0).max(100).meta({ description: "More than this part waits for a confirmation." }),
  staleDataAction: z.enum(["wait", "continue"]).meta({
    description: "Whether it starts although targets were last seen longer than `maxDataAge` ago.",
  }),
  maxDataAge: Duration.meta({ description: "How old what is known of a target may be." }),
  recurrence: Duration.nullable().meta({ description: "After which time it is begun again; a day at least." }),
});
type Given = z.output<typeof CertificationFields>;

/** The terms of a campaign, with every default. */
export interface CertificationTerms extends Omit<Given, "scope" | "stages" | "remediation"> {
  readonly scope: CertificationScope;
  readonly stages: CertificationStage[];
  readonly remediation: Required<Remediating>;
}
