import { SEVERITIES } from "#families/findings/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Attributes } from "#kernel/records/generic-body.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { dayOf } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { EXEMPTION_CATEGORIES, ExemptionFields } from "./fields.js";
import { exemptionStatus } from "./machine.js";
import { noticeAt } from "./rules.js";

/** An exemption as it is stored and served. */
export const Exemption = z
  .object({
    ...recordShape(z.enum(statesOf(exemptionStatus))),
    ...ExemptionFields.shape,
    reason: z.string().meta({ description: "Why it was asked for." }),
    policyId: z.string().meta({ description: "The policy it is about; one that takes its key later is another." }),
    findingId: z.string().nullable().meta({ description: "The finding it is about, where it is about one." }),
    onAssetId: z.string().nullable().meta({ description: "The asset it is about, where it is about one." }),
    matchedFindings: z.int().min(0).meta({ description: "Findings it took in when it was asked for." }),
    requestedBy: z.string().meta({ description: "Id of who asked for it." }),
    requestedAt: Time.meta({ description: "When it was asked for." }),
    approvedBy: z.string().nullable().meta({ description: "Id of who approved it." }),
    approvedAt: Time.nullable().meta({ description: "When it was approved." }),
    relatedParty: RelatedParty,
    revokedBy: z.string().nullable().meta({ description: "Id of who revoked it." }),
    revokedAt: Time.nullable().meta({ description: "When it was revoked." }),
    revokedReason: z.string().nullable().meta({ description: "Why it was revoked." }),
    notices: z.int().min(0).max(2).meta({ description: "How often its end was announced: 14 days and 3 days before." }),
    attributes: Attributes,
  })
  .meta({ id: "Exemption" });
export type Exemption = z.output<typeof Exemption>;

/** The value of `inForceOn` for exemptions by selector. */
export const ANY_ASSET = "*";

/** Exemptions in all states. Once the end has passed, an approved one reads `expired`, and a request `lapsed`. */
export const exemptions = defineCollection<Exemption>({
  name: "exemptions",
  prefix: "exm",
  schema: Exemption,
  resource: { type: "exemption", event: "exemption", path: "/api/v1/ai-governance/exemptions" },
  machines: { status: exemptionStatus },
  related: ({ onAssetId, findingId }) => [onAssetId, findingId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    findingId: { type: "text" },
    policyId: { type: "text" },
    onAssetId: { type: "text" },
    maxSeverity: { type: "text" },
    category: { type: "text" },
    requestedBy: { type: "text" },
    /** The asset that an approved one is about, or `*`. */
    inForceOn: {
      type: "text",
      of: ({ status, onAssetId }) => (status === "approved" ? (onAssetId ?? ANY_ASSET) : null),
    },
    /** The finding from which a decision was requested. */
    pendingOn: { type: "text", of: ({ status, findingId }) => (status === "requested" ? findingId : null) },
    /** The policy whose deletion ends it. */
    standingUnder: {
      type: "text",
      of: ({ status, policyId }) => (status === "requested" || status === "approved" ? policyId : null),
    },
    endsAt: { type: "time", of: ({ status, expiresAt }) => (status === "approved" ? expiresAt : null) },
    /** When time changes its state. */
    turnsAt: {
      type: "time",
      of: ({ status, expiresAt }) => (status === "requested" || status === "approved" ? expiresAt : null),
    },
    /** The day of its end, to count endings per day. */
    endsOn: { type: "text", of: ({ status, expiresAt }) => (status === "approved" ? dayOf(expiresAt) : null) },
    noticeAt: { type: "time", of: noticeAt },
  },
  indexes: [
    { where: ["findingId"] },
    { where: ["onAssetId"] },
    { where: ["policyId"] },
    { where: ["status"] },
    { where: ["inForceOn"] },
    { where: ["pendingOn"] },
    { where: ["standingUnder"] },
    { where: [], by: "endsAt" },
    { where: [], by: "turnsAt", partial: true },
    { where: [], by: "noticeAt", partial: true },
  ],
  filters: {
    status: { values: statesOf(exemptionStatus), changesAt: "turnsAt" },
    findingId: {},
    policyId: {},
    assetId: {
      field: "onAssetId",
      ids: "ai_asset",
      description: "Those about this asset alone, not those by a selector.",
    },
    severity: { field: "maxSeverity", values: SEVERITIES, description: "Only exemptions with this `maxSeverity`." },
    category: { values: EXEMPTION_CATEGORIES },
    requestedBy: {},
  },
  orders: { endsAt: "endsAt" },
  counted: ["status", "endsOn"],
  timeTransition: {
    by: "turnsAt",
    machine: exemptionStatus,
    event: ({ status }) => (status === "approved" ? "expire" : "lapse"),
    reason: "Its time is over.",
  },
});
