import { ASSET_TYPES, ENVIRONMENTS } from "#families/estate/index.js";
import { Duration } from "#kernel/records/duration.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { EFFECTS, RISK_LEVELS } from "../profiles/schema.js";

const MOST = 200;
const Ids = z.array(z.string().max(64)).min(1).max(MOST);
const Words = z.array(z.string().min(1).max(500)).min(1).max(MOST);

const ofAccess = {
  profileIds: Ids.optional().meta({ description: "Access by these profiles." }),
  connectorInstanceIds: Ids.optional().meta({ description: "Access in these targets." }),
  resourceTypes: Words.optional().meta({ description: "Access to resources of these types." }),
  effects: z.array(z.enum(EFFECTS)).min(1).optional().meta({ description: "Access that lets somebody do this." }),
  privilegeAtLeast: z.int().min(0).max(4).optional().meta({ description: "Of this privilege or a greater one." }),
};

/** Which access a policy is about. All that is given must hold. */
export const AccessCover = z
  .strictObject({
    ...ofAccess,
    resourceIds: Ids.optional().meta({ description: "Access to these resources." }),
    riskAtLeast: z.enum(RISK_LEVELS).optional().meta({ description: "Of this risk or a greater one." }),
    assetIds: Ids.optional().meta({ description: "Access of these assets." }),
    assetTypes: z
      .array(z.enum(ASSET_TYPES))
      .min(1)
      .optional()
      .meta({ description: "Access of assets of these types." }),
    environments: z
      .array(z.enum(ENVIRONMENTS))
      .min(1)
      .optional()
      .meta({ description: "Access of assets used for this." }),
  })
  .meta({ id: "AccessCover", description: "Which access it is about; all that is given must hold." });
export type AccessCover = z.output<typeof AccessCover>;

/** One side of a conflict: kinds of access, wherever they are. */
export const AccessSide = z
  .strictObject({
    ...ofAccess,
    permissions: Words.optional().meta({ description: "Access that has one of these permissions." }),
    toolNames: Words.optional().meta({ description: "Access that opens one of these tools." }),
  })
  .refine((side) => Object.keys(side).length > 0, "Say which access it is.")
  .meta({ id: "AccessSide", description: "One side of a conflict; all that is given must hold." });
export type AccessSide = z.output<typeof AccessSide>;

export const SEVERITIES = RISK_LEVELS;
export const ON_HIT = ["deny", "require_exemption", "warn"] as const;

/** Two kinds of access that an asset, with all that it can call, must not have together. */
export const ConflictRule = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
      .meta({ description: "Names the rule within its policy." }),
    description: z.string().trim().min(1).max(500).meta({ description: "What is wrong with having both." }),
    left: AccessSide,
    right: AccessSide,
    mode: z.enum(["is_in", "is_not_in"]).meta({
      description: "`is_in`: the right must not be there beside the left. `is_not_in`: it must be there.",
    }),
    severity: z.enum(SEVERITIES).meta({ description: "How much harm both can do together." }),
    onHit: z
      .enum(ON_HIT)
      .meta({ description: "What follows: a refusal, an exemption that people give, or a warning." }),
  })
  .meta({ id: "AccessConflictRule" });
export type ConflictRule = z.output<typeof ConflictRule>;

export const APPROVERS = [
  ...["asset_owner", "target_owner", "resource_owner", "profile_approver", "user", "role"],
] as const;

/** Whom a stage asks. */
export const Approver = z
  .strictObject({
    kind: z.enum(APPROVERS).meta({
      description:
        "Owner of the asset, owners of the connection, owners of the resource or else of the connection, who approved the profile, a user, or a role.",
    }),
    id: z.string().min(1).max(64).optional().meta({ description: "Id of the user, or name of the role." }),
  })
  .meta({ id: "AccessApprover" });
export type Approver = z.output<typeof Approver>;

const Approvers = z.array(Approver).max(50);

/** A round of approval. */
export const ApprovalStage = z
  .strictObject({
    name: z.string().trim().min(1).max(100).optional().meta({ description: "What it is called." }),
    approvers: Approvers.min(1).meta({ description: "Who is asked." }),
    mode: z.enum(["any", "all", "quorum"]).optional().meta({ description: "How many must agree; `any` if absent." }),
    approveThreshold: z.int().min(1).max(50).optional().meta({ description: "How many, for `quorum`." }),
    denyThreshold: z.int().min(1).max(50).optional().meta({ description: "How many refusals reject it; 1 if absent." }),
    fallback: Approvers.optional().meta({ description: "Who is asked where nobody of `approvers` may decide." }),
    timeout: Duration.optional().meta({ description: "How long they have; as long as the request waits if absent." }),
    onTimeout: z
      .enum(["escalate", "reject", "expire"])
      .optional()
      .meta({ description: "What follows; `expire` if absent." }),
    escalateTo: Approvers.optional().meta({ description: "Who is asked then, for `escalate`." }),
  })
  .meta({ id: "AccessApprovalStage" });
export type ApprovalStage = z.output<typeof ApprovalStage>;

/** Bounds of what is allowed without anybody's approval. */
export const AllowLimits = z
  .strictObject({
    mostPerDay: z.int().min(1).max(500).meta({ description: "Requests in 24 hours." }),
    mostPerAsset: z.int().min(1).max(200).meta({ description: "Access of one asset that it covers, at once." }),
    maxDuration: Duration.optional().meta({ description: "How long the access lasts at most." }),
  })
  .meta({ id: "AccessAllowLimits", description: "Bounds of what is allowed without an approval." });

/** How long emergency access lasts at most. */
export const EMERGENCY_MOST = "PT4H";
export const PENDING_FOR = "P7D";
export const APPROVAL_VALID_FOR = "PT72H";

/** What somebody says of a policy. */
export const PolicyTerms = z.object({
  description: z.string().max(2_000).nullable().default(null).meta({ description: "What it is for." }),
  kind: z.enum(["standard", "emergency"]).default("standard").meta({
    description: "Whether it is for usual requests, or for those of emergencies alone.",
  }),
  enabled: z.boolean().default(true).meta({ description: "Whether it is in force." }),
  priority: z.int().min(0).max(1_000).default(100).meta({ description: "The greatest decides who is asked." }),
  covers: AccessCover.default({}),
  effect: z.enum(["allow", "require_approval", "deny"]).default("require_approval").meta({
    description: "`deny` wins over all else. `allow` holds within `limits`; beyond them its stages are asked.",
  }),
  stages: z.array(ApprovalStage).max(5).default([]).meta({ description: "Who approves, one round after another." }),
  limits: AllowLimits.nullable().default(null).meta({ description: "Bounds of `allow`." }),
  maxDuration: Duration.nullable().default(null).meta({ description: "How long the access lasts at most." }),
  pendingFor: Duration.default(PENDING_FOR).meta({ description: "How long a request waits for approval." }),
  approvalValidFor: Duration.default(APPROVAL_VALID_FOR).meta({ description: "How long an approval can be used." }),
  endsAt: Time.nullable().default(null).meta({ description: "Until when it is in force." }),
  conflicts: z.array(ConflictRule).max(50).default([]).meta({
    description: "Access that must not be had together. It holds for all access, whatever the policy covers.",
  }),
});
export type PolicyTerms = z.output<typeof PolicyTerms>;
