import { pageQuery } from "#kernel/operation/page.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes, Configuration } from "#kernel/records/generic-body.js";
import { InvolvedParties, RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { EndTime, READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { POSTURE_NAMES, PostureFields } from "./asset-posture.js";
import { ASSET_TYPES, ENVIRONMENTS, RISK_TIERS } from "./asset-terms.js";
import { AssetFields, Label, Sha256, Text } from "./fields.js";
import { assetLifecycle, expiryOf, governanceState, lapses } from "./machine.js";
import { likenessOf } from "./search-likeness.js";
import { searchText } from "./search-text.js";

const ConditionTerms = z.object({
  key: Label.meta({ description: "Names the condition." }),
  text: Text.meta({ description: "What is to be done." }),
  dueAt: EndTime.nullable().default(null).meta({ description: "Until when; `null`: open." }),
});

/** What shows that a condition is met. */
export const ConditionEvidence = z.object({
  ref: Text.min(1).meta({ description: "Where it is." }),
  digest: Sha256.optional().meta({ description: "SHA-256 of what is there." }),
  note: Text.optional().meta({ description: "What it shows." }),
});

const Condition = ConditionTerms.extend({
  metAt: Time.nullable().meta({ description: "When it was met; `null`: not yet." }),
  metBy: z.string().nullable().meta({ description: "Id of who met it." }),
  evidence: ConditionEvidence.nullable().meta({ description: "What shows it." }),
}).meta({ id: "ApprovalCondition" });
export type Condition = z.output<typeof Condition>;

const DECISIONS = ["approved", "conditionally_approved", "rejected"] as const;

const GovernanceDecision = z.object({
  state: z.enum(DECISIONS).meta({ description: "What was decided." }),
  by: z.string().meta({ description: "Id of who decided." }),
  at: Time.meta({ description: "When it was decided." }),
  reason: z.string().nullable().meta({ description: "The reason in words." }),
  ticketRef: z.string().nullable().meta({ description: "Where it was discussed." }),
});
export type GovernanceDecision = z.output<typeof GovernanceDecision>;

/** The decision, where moving to this state is one. */
export const isDecision = (state: string): state is GovernanceDecision["state"] =>
  (DECISIONS as readonly string[]).includes(state);

const RecordReference = z.object({
  type: z.string().meta({ description: "Type of the record.", example: "ai_agent" }),
  id: z.string().meta({ description: "Id of the record." }),
  path: z.string().meta({
    description: "Path of the record in the API.",
    example: "/api/v1/ai/agents/agt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
  }),
});
export type RecordReference = z.output<typeof RecordReference>;

/** A governed AI asset as it is stored and served. */
export const Asset = z
  .object({
    ...recordShape(z.enum(statesOf(assetLifecycle))),
    governanceState: z.enum(statesOf(governanceState)).meta({ description: "Whether its use is approved." }),
    ...AssetFields.shape,
    riskScore: z.int().min(0).max(100).meta({ description: "Sum of the points of `riskFactors`, at most 100." }),
    riskFactors: z
      .array(
        z.object({
          key: z.string().meta({ description: "Names the factor." }),
          points: z.int().meta({ description: "What it adds to the score." }),
        }),
      )
      .meta({ description: "What raises its risk." }),
    approvedUntil: Time.nullable().meta({ description: "From then on the governance state reads `expired`." }),
    reviewUntil: Time.nullable().meta({
      description: "Until when a standing approval holds while it is reviewed; from then on it reads `under_review`.",
    }),
    conditions: z.array(Condition).max(50).meta({ description: "What the approval depends on." }),
    decision: GovernanceDecision.nullable().meta({ description: "The last decision about it." }),
    priorGovernanceState: z.enum(statesOf(governanceState)).nullable().meta({
      description:
        "The state a suspended asset can be reinstated to; under review, what stops it until somebody decides.",
    }),
    classified: z
      .object({
        by: z.string().meta({ description: "Id of the reviewer." }),
        at: Time.meta({ description: "The time when it happened." }),
        rationale: z.string().meta({ description: "The reason in words." }),
      })
      .nullable()
      .meta({ description: "Who says so of `riskTier` and `dataClassification`; `null`: no reviewer." }),
    requestedBy: z.string().nullable().meta({ description: "Who asked for the running or last review." }),
    involved: InvolvedParties,
    relatedParty: RelatedParty,
    changedInReview: z
      .boolean()
      .meta({ description: "Changed since its review was asked for: approving takes `If-Match`." }),
    ...PostureFields.shape,
    baselineAt: Time.nullable().meta({
      description: "When an import with `baseline` created it; `null`: otherwise. Findings of then are the baseline.",
    }),
    record: RecordReference.nullable().meta({
      description: "Its technical side (agent, tool, model, identity, MCP server); `null` for types without one.",
    }),
    editVersion: z.int().min(1).meta({
      description: "The version of the last change. Later ones note observations, and `If-Match` accepts them all.",
    }),
    configuration: Configuration,
    attributes: Attributes,
  })
  .meta({ id: "AiAsset" });
export type Asset = z.output<typeof Asset>;

/** Properties of an asset that a body may repeat but not change. */
export const ASSET_READ_ONLY = [
  ...READ_ONLY,
  "governanceState",
  "riskScore",
  "riskFactors",
  "approvedUntil",
  "reviewUntil",
  "conditions",
  "decision",
  "priorGovernanceState",
  "requestedBy",
  "classified",
  "involved",
  "relatedParty",
  "changedInReview",
  ...POSTURE_NAMES,
  "baselineAt",
  "record",
  "editVersion",
] as const;

const uniqueKeys = (conditions: readonly { readonly key: string }[]) =>
  new Set(conditions.map(({ key }) => key)).size === conditions.length;

/** The conditions that an approval is given under. */
export const Conditions = z.array(ConditionTerms).min(1).max(50).refine(uniqueKeys, "A key appears twice.");

const newest = (...where: string[]) => ({ where });

/** AI assets. Those with an external id are unique by type, provider, external id and environment. */
export const assets = defineCollection<Asset>({
  name: "ai_assets",
  prefix: "ast",
  schema: Asset,
  limit: "assets",
  resource: { type: "ai_asset", event: "asset", path: "/api/v1/ai-assets" },
  otherSide: ({ record }) => record?.id ?? null,
  machines: { status: assetLifecycle, governanceState },
  involved: {
    free: [
      "labels",
      "conditions",
      "metadata",
      "attributes",
      "evidence",
      "firstSeenAt",
      "lastSeenAt",
      "reviewDueAt",
      "riskScore",
      "riskFactors",
    ],
    owners: ({ owner }) => (owner ? [owner.id] : []),
  },
  retain: true,
  fields: {
    status: { type: "text" },
    governanceState: { type: "text" },
    assetType: { type: "text", compare: "exact" },
    /** Type and lifecycle in one, to count both together. */
    census: { type: "text", combines: ["assetType", "status"] },
    /** All that has few values, to count any of it together. */
    traits: {
      type: "text",
      combines: ["assetType", "status", "governanceState", "provider", "environment", "riskTier", "owned"],
      partly: true,
    },
    provider: { type: "text", compare: "canonical" },
    environment: { type: "text", compare: "exact" },
    externalId: { type: "text", compare: "canonical", of: (asset) => asset.externalRef?.id },
    riskTier: { type: "text" },
    /** Whether it has an owner. */
    owned: { type: "boolean", of: ({ owner }) => owner !== null },
    owner: { type: "text", of: ({ owner }) => owner?.id },
    sponsor: { type: "text", of: ({ sponsor }) => sponsor?.id },
    team: { type: "text", of: ({ team }) => team?.id },
    updatedAt: { type: "time" },
    name: { type: "text" },
    labels: {
      type: "texts",
      of: ({ labels }) => Object.entries(labels).flatMap(([key, value]) => [key, `${key}=${value}`]),
    },
    likeness: { type: "text", of: likenessOf },
    /** When an approval expires. `null` once the expiry is stored, and without an approval. */
    expiresAt: { type: "time", of: expiryOf },
  },
  unique: { identity: ["assetType", "provider", "externalId", "environment"] },
  // Of equally selective filters, the first index here is used.
  indexes: [
    newest("owner"),
    newest("sponsor"),
    newest("team"),
    newest("provider"),
    newest("riskTier"),
    newest("governanceState"),
    newest("assetType"),
    newest("likeness"),
    { where: [], by: "updatedAt" },
    { where: [], by: "name" },
    { where: [], by: "expiresAt", partial: true },
  ],
  filters: {
    assetType: { values: ASSET_TYPES },
    provider: {},
    environment: { values: ENVIRONMENTS },
    status: { values: statesOf(assetLifecycle) },
    governanceState: { values: statesOf(governanceState), changesAt: "expiresAt" },
    riskTier: { values: RISK_TIERS },
    owner: { description: "Id of the owner." },
    sponsor: { description: "Id of the sponsor." },
    owned: { type: "boolean", description: "Whether there is an owner." },
    team: { description: "Id of the team." },
    label: {
      field: "labels",
      maxLength: 701,
      description: "A label as `key=value`, or the key alone for whatever value.",
    },
  },
  orders: { updatedAt: "updatedAt", name: "name" },
  counted: [
    ...["status", "governanceState", "assetType", "census", "traits"],
    ...["provider", "environment", "riskTier", "owned"],
  ],
  search: searchText,
  timeTransition: {
    by: "expiresAt",
    machine: governanceState,
    event: (asset) => (lapses(asset) ? "lapse" : "expire"),
    reason: "The approval has run out, or its review was not decided in time.",
    patch: () => ({ reviewUntil: null }),
  },
});

export const AssetQuery = z.strictObject({
  ...pageQuery,
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "Text in name, description, external id, labels or metadata; case is ignored." }),
  assetType: z.enum(ASSET_TYPES).optional().meta({ description: "Type of the asset." }),
  provider: z.string().max(200).optional().meta({ description: "Who provides the asset." }),
  environment: z.enum(ENVIRONMENTS).optional().meta({ description: "Where the asset runs." }),
});
export type AssetQuery = z.output<typeof AssetQuery>;

/** One step of an asset's history. */
export const Transition = z
  .object({
    id: z.string().meta({ description: "Id of the event that recorded it." }),
    eventId: z.string().meta({ description: "The same as `id`." }),
    from: z.string().nullable().meta({ description: "`null` for the first state." }),
    to: z.string().meta({ description: "State after it." }),
    event: z.string().nullable().meta({ description: "The transition's name." }),
    reason: z.string().nullable().meta({ description: "Why it was done." }),
    actor: z
      .object({
        type: z.string().meta({ description: "What kind of actor." }),
        id: z.string().meta({ description: "Id of the actor." }),
      })
      .meta({ description: "Who did it." }),
    at: Time.meta({ description: "When it was done." }),
    guards: z.array(z.string()).meta({ description: "Conditions that were checked and met." }),
    triggeredBy: z.enum(["user", "policy", "system", "connector"]).meta({ description: "What brought it about." }),
  })
  .meta({ id: "AssetTransition" });
