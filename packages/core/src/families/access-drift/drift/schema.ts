import { AccessPrincipal, ExternalReference } from "#families/access/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { accessDriftStatus } from "./machine.js";

/** How a target can differ from what was granted, and what that means. */
export const DRIFT_KINDS = {
  missing_in_target: "It was granted, and the target has it no more.",
  unmanaged_in_target: "A principal that an asset acts as has access that nobody granted here.",
  over_privileged: "The target permits more than was granted.",
  under_privileged: "The target permits less than was granted.",
  ended_still_present: "It was ended and confirmed, and the target has it again.",
  expiry_mismatch: "The target ends it at another time.",
  principal_changed: "The principal is of another kind than when it was granted.",
  resource_missing: "The resource is gone.",
  definition_changed: "The access profile means something else than when it was granted.",
  owner_missing: "The asset has no owner who can answer for it.",
  unknown_credential: "A principal that an asset acts as has a credential that it did not have before.",
} as const;
export type DriftKind = keyof typeof DRIFT_KINDS;
export const KINDS = Object.keys(DRIFT_KINDS) as [DriftKind, ...DriftKind[]];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export const REPAIRS = ["grant", "reapply", "renew", "revoke", "end", "adopt", "certify"] as const;
export type RepairAction = (typeof REPAIRS)[number];

const Difference = z.object({
  field: z.string().meta({ description: "The field that differs." }),
  desired: z.unknown().meta({ description: "As it was granted." }),
  observed: z.unknown().meta({ description: "As the target has it." }),
});
export type Difference = z.output<typeof Difference>;

/** A difference between a target and what was granted, as it is stored and served. */
export const AccessDrift = z
  .object({
    ...recordShape(z.enum(statesOf(accessDriftStatus))),
    kind: z.enum(KINDS).meta({ description: "How they differ." }),
    severity: z.enum(SEVERITIES).meta({ description: "How much harm it can do." }),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    assetId: z.string().nullable().meta({ description: "The asset whose access it is." }),
    assignmentId: z.string().nullable().meta({ description: "The assignment; `null` where nothing was granted." }),
    resourceId: z.string().nullable().meta({ description: "What it is access to, if a sync has found it." }),
    resource: ExternalReference.meta({ description: "The same in the target." }),
    accessProfileId: z.string().nullable().meta({ description: "The kind of access, if a sync has found it." }),
    profileExternalId: z.string().meta({ description: "The same in the target." }),
    principal: AccessPrincipal.meta({ description: "Who has it in the target." }),
    parameters: AnyObject.meta({ description: "What narrows it." }),
    grantKey: z.string().meta({ description: "Hash of the access itself, as of assignments." }),
    immutable: z.boolean().meta({ description: "The target does not let it be revoked." }),
    diff: z.array(Difference).meta({ description: "The fields that differ." }),
    fingerprint: z.string().meta({ description: "Hash of what was seen. What is let be comes back when it changes." }),
    repairs: z.array(z.enum(REPAIRS)).meta({ description: "What can be done; empty: only people can, elsewhere." }),
    advice: z.string().meta({ description: "What to do, in words." }),
    suspectedAt: Time.meta({ description: "When it was first seen." }),
    confirmedAt: Time.nullable().meta({ description: "When a second look confirmed it." }),
    lastSeenAt: Time.meta({ description: "When it was last seen." }),
    scanId: z.string().nullable().meta({ description: "The scan that saw it last." }),
    detectedBy: z.enum(["scan", "verify"]).meta({ description: "What saw it first." }),
    recurrence: z.int().min(1).meta({ description: "How many looks have seen it." }),
    acceptedUntil: Time.nullable().meta({ description: "Until when it is let be." }),
    decidedBy: z.string().nullable().meta({ description: "Id of who let it be." }),
    endedAt: Time.nullable().meta({ description: "When it was resolved or dismissed." }),
    followUpId: z.string().nullable().meta({ description: "The request or certification that was made of it." }),
    repairedAt: Time.nullable().meta({ description: "When it was last put right, or begun to be." }),
  })
  .meta({ id: "AccessDrift" });
export type AccessDrift = z.output<typeof AccessDrift>;

const STANDING: ReadonlySet<AccessDrift["status"]> = new Set([
  ...(["suspected", "open", "repairing", "accepted", "suppressed"] as const),
]);
const OPEN: ReadonlySet<AccessDrift["status"]> = new Set(["open", "repairing"]);

/** What a difference is about as one text. The same difference found again is the same record. */
export const driftKey = ({ kind, grantKey }: Pick<AccessDrift, "kind" | "grantKey">): string => `${kind} ${grantKey}`;

/** Differences between targets and what was granted, past and present. */
export const accessDrift = defineCollection<AccessDrift>({
  name: "access_drift",
  prefix: "drf",
  schema: AccessDrift,
  resource: { type: "access_drift", event: "access.drift", path: "/api/v1/access-drift" },
  machines: { status: accessDriftStatus },
  related: ({ assetId, assignmentId, connectorInstanceId }) =>
    [assetId, assignmentId, connectorInstanceId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    kind: { type: "text" },
    severity: { type: "text" },
    connectorInstanceId: { type: "text", compare: "exact" },
    assetId: { type: "text" },
    assignmentId: { type: "text" },
    subject: { type: "text", compare: "exact", of: driftKey },
    /** The target, while it is not over. */
    standingOf: { type: "text", of: (one) => (STANDING.has(one.status) ? one.connectorInstanceId : null) },
    suspectedOf: { type: "text", of: (one) => (one.status === "suspected" ? one.connectorInstanceId : null) },
    /** The grant, while it is not over. */
    standingOn: { type: "text", of: (one) => (STANDING.has(one.status) ? one.grantKey : null) },
    openOf: { type: "text", of: (one) => (OPEN.has(one.status) ? one.connectorInstanceId : null) },
    openKind: { type: "text", of: (one) => (OPEN.has(one.status) ? one.kind : null) },
    openFor: { type: "text", of: (one) => (OPEN.has(one.status) ? one.assignmentId : null) },
    repairedAt: { type: "time" },
    acceptedUntil: { type: "time", of: (one) => (one.status === "accepted" ? one.acceptedUntil : null) },
  },
  unique: { subject: ["connectorInstanceId", "subject"] },
  indexes: [
    { where: ["status"] },
    { where: ["connectorInstanceId"] },
    { where: ["connectorInstanceId"], by: "repairedAt", partial: true },
    { where: ["assetId"] },
    { where: ["assignmentId"] },
    { where: ["standingOf"] },
    { where: ["suspectedOf"] },
    { where: ["standingOn"] },
    { where: ["openFor"] },
    { where: [], by: "acceptedUntil", partial: true },
  ],
  filters: {
    status: { values: statesOf(accessDriftStatus), changesAt: "acceptedUntil" },
    kind: { values: KINDS },
    severity: { values: SEVERITIES },
    connectorInstanceId: {},
    assetId: { ids: "ai_asset" },
    assignmentId: {},
  },
  counted: ["openOf", "openKind"],
  timeTransition: {
    by: "acceptedUntil",
    machine: accessDriftStatus,
    event: "lapse",
    reason: "The time to let it be was over.",
  },
});
