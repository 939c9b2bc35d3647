import { AccessPrincipal, ExternalReference, RISK_LEVELS } from "#families/access/index.js";
import { FAILURE } from "#families/connectors/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Duration } from "#kernel/records/duration.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { assignmentStatus } from "./machine.js";
import { noticeAt } from "./notice-rules.js";
import { endingOf, endsAt, holdingOf, idleSince, isLive } from "./rules.js";

export const SOURCES = ["request", "import", "adopted", "policy", "emergency"] as const;
export const END_REASONS = [
  ...["revoked", "expired", "provision_failed", "asset_retired", "resource_deleted", "removed_externally"],
  ...["certification", "unused", "drift", "kill_switch", "request_cancelled", "connection_deleted"],
] as const;
export const TARGET_STATES = ["unknown", "present", "absent", "mismatch"] as const;

const Word = z.object({
  by: z.string().meta({ description: "Id of who says so." }),
  at: Time.meta({ description: "When they said so." }),
  evidence: z.string().meta({ description: "What shows it." }),
  ticketRef: z.string().nullable().meta({ description: "A ticket in another system." }),
  seenAt: Time.meta({ description: "When it was seen." }),
});
const Attestation = Word.extend({
  second: Word.nullable().meta({ description: "The four-eyes approver, where one is needed; `null` while one is." }),
});

/** Access of an asset in a target, as it is stored. */
export const AccessAssignment = z
  .object({
    ...recordShape(z.enum(statesOf(assignmentStatus))),
    requestId: z.string().nullable().meta({ description: "The request that it comes from." }),
    source: z.enum(SOURCES).meta({ description: "Where it comes from." }),
    assetId: z.string().meta({ description: "The asset that has it." }),
    identityId: z.string().meta({ description: "What the asset acts as." }),
    principal: AccessPrincipal.meta({ description: "The same in the target, as it was granted." }),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    resourceId: z.string().meta({ description: "What it is access to." }),
    resource: ExternalReference.meta({ description: "The same in the target." }),
    accessProfileId: z.string().meta({ description: "The kind of access." }),
    profileExternalId: z.string().meta({ description: "The same in the target." }),
    parameters: AnyObject.meta({ description: "What narrows it, by the profile's `parametersSchema`." }),
    grantKey: z.string().meta({ description: "Hash of the access itself. Assignments of one key share one grant." }),
    previousGrantKey: z.string().nullable().meta({ description: "What it holds until the new access is there." }),
    externalGrantId: z.string().nullable().meta({ description: "Id of the grant in the target." }),
    notBefore: Time.meta({ description: "When it begins." }),
    duration: Duration.nullable().meta({ description: "How long it lasts from its activation." }),
    expiresAt: Time.nullable().meta({
      description: "When it ends. `null` before its activation, or if it is permanent.",
    }),
    isPermanent: z.boolean().meta({ description: "It has no end." }),
    approvedHash: z.string().meta({ description: "`definitionHash` of the profile when it was decided." }),
    privilegeLevel: z.int().min(0).max(4).meta({ description: "As its profile had it." }),
    riskLevel: z.enum(RISK_LEVELS).meta({ description: "As its profile had it." }),
    targetState: z.enum(TARGET_STATES).meta({ description: "What was last seen in the target." }),
    observedAt: Time.nullable().meta({ description: "When that was." }),
    observedBy: z.enum(["grant_result", "verify", "sync"]).nullable().meta({ description: "How it was seen." }),
    unseenSince: Time.nullable().meta({
      description: "Since when the target does not show what it took, so that nothing it lacks is taken for gone.",
    }),
    activatedAt: Time.nullable().meta({ description: "When the target granted it." }),
    lastVerifiedAt: Time.nullable().meta({ description: "When the target was last asked for it." }),
    lastUsedAt: Time.nullable().meta({ description: "When it was last used." }),
    certifiedUntil: Time.nullable().meta({ description: "Until when people have certified it." }),
    preExisting: z.boolean().meta({ description: "The target had it before anything was granted." }),
    sharedGrant: z.boolean().meta({ description: "It ended here while another assignment keeps the grant." }),
    unverified: z.boolean().meta({ description: "The target cannot be asked, so its own word is all there is." }),
    endReason: z.enum(END_REASONS).nullable().meta({ description: "Why it ends." }),
    endedBy: z.string().nullable().meta({ description: "Id of who ended it." }),
    endingSince: Time.nullable().meta({ description: "Since when it is not in force." }),
    endedAt: Time.nullable().meta({ description: "When the target confirmed its end." }),
    residualAccess: z
      .enum(["none", "possible"])
      .nullable()
      .meta({ description: "Whether sessions that were open in the target may go on after its end." }),
    noticed: z
      .object({
        left: z.enum(["P7D", "P1D", "PT1H"]).meta({ description: "How long before the end." }),
        expiresAt: Time.meta({ description: "The end that it was about." }),
        at: Time.meta({ description: "When it was given." }),
      })
      .nullable()
      .meta({ description: "The last notice that it ends." }),
    unusedNotice: z
      .object({
        at: Time.meta({ description: "When it was given." }),
        days: z.int().meta({ description: "For how many days it had not been used." }),
        endsAt: Time.meta({ description: "The end that the notice has set." }),
        expiresAt: Time.nullable().meta({ description: "The end before, which is set again when it is used." }),
        isPermanent: z.boolean().meta({ description: "Whether it had no end before." }),
      })
      .nullable()
      .meta({ description: "It ends because it is not used, unless it is used before." }),
    attestation: Attestation.nullable().meta({
      description: "What people say of its end in a target that does not confirm it.",
    }),
    failure: z.object(FAILURE).nullable().meta({ description: "The last failure of the target." }),
    editVersion: z.int().min(1).meta({
      description:
        "The version of the last change. Later ones note what was seen of it, and `If-Match` accepts them all.",
    }),
  })
  .meta({ id: "StoredAccessAssignment" });
export type AccessAssignment = z.output<typeof AccessAssignment>;

/** Access that was decided, past and present. Never removed. */
export const accessAssignments = defineCollection<AccessAssignment>({
  name: "access_assignments",
  prefix: "asg",
  schema: AccessAssignment,
  resource: { type: "access_assignment", event: "access.assignment", path: "/api/v1/access-assignments" },
  machines: { status: assignmentStatus },
  related: ({ assetId, connectorInstanceId, requestId }) =>
    [assetId, connectorInstanceId, requestId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    assetId: { type: "text" },
    connectorInstanceId: { type: "text" },
    resourceId: { type: "text" },
    accessProfileId: { type: "text" },
    requestId: { type: "text" },
    /** The grants that it holds now. */
    holding: { type: "text", of: holdingOf },
    holdingPrevious: { type: "text", of: (one) => (holdingOf(one) ? one.previousGrantKey : null) },
    /** The grant whose end it waits for. */
    ending: { type: "text", of: endingOf },
    liveOf: { type: "text", of: (one) => (isLive(one) ? one.connectorInstanceId : null) },
    liveOn: { type: "text", of: (one) => (isLive(one) ? one.resourceId : null) },
    liveAs: { type: "text", of: (one) => (isLive(one) ? one.identityId : null) },
    liveFor: { type: "text", of: (one) => (isLive(one) ? one.assetId : null) },
    endsAt: { type: "time", of: endsAt },
    noticeAt: { type: "time", of: noticeAt },
    /** As `idleSince`, while it has no notice because of that. */
    dormantSince: { type: "time", of: (one) => (one.unusedNotice === null ? idleSince(one) : null) },
    noticedUnusedAt: {
      type: "time",
      of: ({ status, unusedNotice }) => (status === "active" ? (unusedNotice?.at ?? null) : null),
    },
    idleSince: { type: "time", of: idleSince },
    targetState: { type: "text" },
    unseenSince: { type: "time" },
  },
  indexes: [
    { where: ["assetId"] },
    { where: ["assetId"], by: "endsAt" },
    { where: ["requestId"] },
    { where: ["liveAs"] },
    { where: ["holding"] },
    { where: ["holdingPrevious"] },
    { where: ["ending"] },
    { where: ["liveOf"] },
    { where: ["liveOn"] },
    { where: ["liveFor"] },
    { where: ["status"] },
    { where: ["connectorInstanceId"] },
    { where: [], by: "endsAt" },
    { where: [], by: "noticeAt", partial: true },
    { where: [], by: "dormantSince", partial: true },
    { where: [], by: "noticedUnusedAt", partial: true },
    { where: [], by: "idleSince", partial: true },
    { where: ["targetState"] },
    { where: [], by: "unseenSince", partial: true },
  ],
  filters: {
    status: { values: statesOf(assignmentStatus), changesAt: "endsAt" },
    connectorInstanceId: {},
    accessProfileId: {},
    resourceId: {},
    targetState: { values: TARGET_STATES },
    liveIn: { field: "liveOf", description: "Id of a target: assignments there that are not over." },
  },
  orders: { expiresAt: "endsAt" },
  counted: ["status", "liveOf", "targetState"],
  timeTransition: {
    by: "endsAt",
    machine: assignmentStatus,
    event: "expire",
    reason: "Its time was over.",
    patch: ({ expiresAt, notBefore, unusedNotice }) => ({
      endReason: unusedNotice !== null && unusedNotice.endsAt === expiresAt ? "unused" : "expired",
      endedBy: "system",
      endingSince: expiresAt ?? notBefore,
    }),
  },
});
