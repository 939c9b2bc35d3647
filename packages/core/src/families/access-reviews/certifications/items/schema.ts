import { RISK_LEVELS } from "#families/access/index.js";
import { TARGET_STATES, Unknown } from "#families/access-grants/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { AnyObject } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { certificationItemStatus } from "./machine.js";

export const USAGE_STATES = ["used", "unused", "unknown"] as const;
export const OUTCOMES = ["certified", "revoke", "modified", "abstained"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Access as it was when it was looked at. */
export const AccessSnapshot = z.object({
  version: z.int().meta({ description: "Version of the assignment." }),
  takenAt: Time.meta({ description: "The time when the facts were read." }),
  scopeHash: z.string().meta({ description: "Hash of what is decided about." }),
  accessProfileId: z.string().meta({ description: "The kind of access." }),
  profileName: z.string().meta({ description: "The name of the access profile." }),
  permissions: z.array(z.string()).meta({ description: "What it permits, up to 50." }),
  definitionHash: z.string().nullable().meta({ description: "Hash of what the profile permitted." }),
  parameters: AnyObject.meta({ description: "What narrows it." }),
  grantKey: z.string().meta({ description: "Hash of the access itself." }),
  privilegeLevel: z.int().meta({ description: "From 0 to 4." }),
  riskLevel: z.enum(RISK_LEVELS).meta({ description: "How much harm it can do." }),
  expiresAt: Time.nullable().meta({ description: "When it ends." }),
  isPermanent: z.boolean().meta({ description: "It has no end." }),
  usageState: z.enum(USAGE_STATES).meta({ description: "`unknown`: nobody can tell, which is not `unused`." }),
  lastUsedAt: Time.nullable().meta({ description: "When it was last used, as far as known." }),
  targetState: z.enum(TARGET_STATES).meta({ description: "What was last seen in the target." }),
  observedAt: Time.nullable().meta({ description: "When that was." }),
  unknown: Unknown.nullable().meta({ description: "Why `targetState` is `unknown`; `null` when it is not." }),
  openDrift: z.int().nullable().meta({ description: "Open differences in the target; `null`: nobody knows." }),
  conflicts: z
    .array(z.string())
    .nullable()
    .meta({ description: "What it conflicts with, in words; `null`: nobody knows." }),
});
export type AccessSnapshot = z.output<typeof AccessSnapshot>;

const Modification = z.object({
  expiresAt: Time.optional().meta({ description: "The new end." }),
  accessProfileId: z.string().optional().meta({ description: "The lesser profile." }),
  parameters: AnyObject.optional().meta({ description: "The narrower parameters." }),
});

export const CertificationDecision = z.object({
  by: z.string().meta({ description: "Id of who decided." }),
  at: Time.meta({ description: "The time when it happened." }),
  decision: z.enum(["certify", "revoke", "modify", "abstain"]).meta({ description: "The decision that was taken." }),
  reason: z.string().nullable().meta({ description: "The reason in words." }),
  stage: z.int().meta({ description: "In which stage." }),
  snapshotVersion: z.int().meta({ description: "Which snapshot was looked at." }),
  validUntil: Time.nullable().meta({ description: "Until when a certification holds." }),
  modification: Modification.nullable().meta({ description: "What is narrowed." }),
  relatedParty: z.boolean().meta({ description: "An account that is related to who asked for it has decided." }),
});
export type CertificationDecision = z.output<typeof CertificationDecision>;

/** One assignment within a campaign, as it is stored. */
export const CertificationItem = z
  .object({
    ...recordFields,
    name: z.string().meta({ description: "The access in words." }),
    status: z.enum(statesOf(certificationItemStatus)).meta({ description: "The state of the record." }),
    certificationId: z.string().meta({ description: "Id of the certification." }),
    assignmentId: z.string().meta({ description: "Id of the access assignment." }),
    assetId: z.string().meta({ description: "The asset that has it." }),
    assetName: z.string().meta({ description: "Name of the asset." }),
    connectorInstanceId: z.string().meta({ description: "Id of the connection to the target." }),
    snapshot: AccessSnapshot.meta({ description: "The access as it was looked at." }),
    snapshotVersion: z.int().min(1).meta({ description: "Rises when it is looked at again. A decision names it." }),
    previous: z
      .object({
        certificationId: z.string().meta({ description: "Id of the certification." }),
        outcome: z.enum(OUTCOMES).nullable().meta({ description: "What it came to." }),
        at: Time.meta({ description: "The time when it happened." }),
        by: z.array(z.string()).meta({ description: "Ids of who decided." }),
      })
      .nullable()
      .meta({ description: "The last time that it was reviewed; `null`: never before." }),
    changes: z
      .array(
        z.object({
          field: z.string().meta({ description: "The field that differs." }),
          before: z.unknown().meta({ description: "As it was." }),
          after: z.unknown().meta({ description: "As it is." }),
        }),
      )
      .meta({ description: "What differs since then." }),
    recommendation: z
      .object({
        value: z.enum(["certify", "revoke", "none"]).meta({ description: "The decision that is recommended." }),
        why: z.array(z.string()).meta({ description: "The facts that the recommendation rests on." }),
      })
      .meta({ description: "What its facts speak for. Nothing is selected by it." }),
    stage: z.int().min(0).meta({ description: "In which stage it is." }),
    panelId: z.string().nullable().meta({ description: "Who may decide it, as one; `null`: nobody." }),
    reviewers: z.array(z.string()).meta({ description: "Ids of who may decide it." }),
    askedBefore: z
      .array(z.string())
      .optional()
      .meta({ description: "Ids of who might decide it before, and may not any more." }),
    delegations: z
      .array(
        z.object({
          from: z.string().meta({ description: "Who has handed it on." }),
          to: z.string().meta({ description: "Id of the user who decides now." }),
          at: Time.meta({ description: "The time when it happened." }),
          reason: z.string().nullable().meta({ description: "The reason in words." }),
        }),
      )
      .meta({ description: "Who has handed it on, and to whom." }),
    dueAt: Time.nullable().meta({ description: "Until when it is to be decided." }),
    decisions: z.array(CertificationDecision).meta({ description: "Those that stand, and those on older snapshots." }),
    outcome: z.enum(OUTCOMES).nullable().meta({ description: "What they come to." }),
    silent: z.boolean().meta({ description: "Silence has decided it." }),
    decidedAt: Time.nullable().meta({ description: "The time of the decision." }),
    outlivesAccess: z.boolean().meta({ description: "It is reviewed also after the access has ended." }),
    note: z.string().nullable().meta({ description: "Why it is excluded, resolved or could not be carried out." }),
  })
  .meta({ id: "StoredAccessCertificationItem" });
export type CertificationItem = z.output<typeof CertificationItem>;

const UNDECIDED: ReadonlySet<CertificationItem["status"]> = new Set(["pending", "stale"]);
const REVIEWED: ReadonlySet<CertificationItem["status"]> = new Set(["pending", "decided", "stale"]);
const FINISHED: ReadonlySet<CertificationItem["status"]> = new Set(["no_response", "remediated"]);
const ENDING: ReadonlySet<CertificationItem["status"]> = new Set(["remediating", "remediation_failed"]);

export const isUndecided = ({ status }: Pick<CertificationItem, "status">) => UNDECIDED.has(status);
const isReviewed = ({ status }: Pick<CertificationItem, "status">) => REVIEWED.has(status);

/** Whether something follows from a decision that was not carried out yet. */
const isActionable = ({ status, outcome }: Pick<CertificationItem, "status" | "outcome">) =>
  (status === "decided" && outcome !== "abstained") || (status === "no_response" && outcome === "revoke");

/** Whether it is decided that access ends or becomes less, by people or by silence. */
export const isDenied = (one: Pick<CertificationItem, "status" | "outcome">) =>
  isActionable(one) && one.outcome !== "certified";

/** Everybody who was to decide an item before, once others take their place. */
export const askedBeforeOf = ({
  askedBefore = [],
  reviewers,
}: Pick<CertificationItem, "askedBefore" | "reviewers">) => [...new Set([...askedBefore, ...reviewers])];

/** Whether somebody is or was to decide an item. Those of an older version tell only of decisions and delegations. */
export const wasAsked = (item: CertificationItem, userId: string) =>
  askedBeforeOf(item).includes(userId) ||
  item.decisions.some(({ by }) => by === userId) ||
  item.delegations.some(({ from, to }) => from === userId || to === userId);

/** The campaign and the panel that an item waits for. `null` when it waits for nobody. */
export const askedOf = (one: Pick<CertificationItem, "status" | "certificationId" | "panelId">) =>
  isUndecided(one) && one.panelId !== null ? `${one.certificationId} ${one.panelId}` : null;

/** By which a campaign counts its items. */
export const standingOf = ({
  certificationId,
  status,
  outcome,
  panelId,
}: Pick<CertificationItem, "certificationId" | "status" | "outcome" | "panelId">) =>
  `${certificationId} ${status === "pending" && panelId === null ? "held" : status === "decided" ? outcome : status}`;

/** Access under review. Never removed, because it shows who has looked at what. */
export const certificationItems = defineCollection<CertificationItem>({
  name: "access_certification_items",
  prefix: "citm",
  schema: CertificationItem,
  resource: {
    type: "access_certification_item",
    event: "access.certification_item",
    path: "/api/v1/access-certification-items",
    alsoAt: ["/api/v1/access-certifications/{id}/items"],
    readBy: ["access:read"],
  },
  machines: { status: certificationItemStatus },
  related: ({ certificationId, assignmentId, assetId }) => [certificationId, assignmentId, assetId],
  fields: {
    certificationId: { type: "text" },
    assignmentId: { type: "text" },
    assetId: { type: "text" },
    status: { type: "text" },
    outcome: { type: "text" },
    panelId: { type: "text" },
    standing: { type: "text", of: standingOf },
    /** Who may still decide it, or change a decision. */
    reviewingAs: { type: "text", of: (one) => (isReviewed(one) ? one.panelId : null) },
    undecidedOf: { type: "text", of: (one) => (isUndecided(one) ? one.certificationId : null) },
    askedBy: { type: "text", of: askedOf },
    staleOf: { type: "text", of: ({ status, certificationId }) => (status === "stale" ? certificationId : null) },
    unfinishedOf: {
      type: "text",
      of: (one) => (isReviewed(one) || isActionable(one) ? one.certificationId : null),
    },
    actionableOf: { type: "text", of: (one) => (isActionable(one) ? one.certificationId : null) },
    /** The assignment whose changes it follows. */
    follows: {
      type: "text",
      of: (one) => (isReviewed(one) || isActionable(one) || ENDING.has(one.status) ? one.assignmentId : null),
    },
    reviewedProfile: { type: "text", of: (one) => (isReviewed(one) ? one.snapshot.accessProfileId : null) },
    /** The assignment that it was the last word about. */
    finishedFor: { type: "text", of: ({ status, assignmentId }) => (FINISHED.has(status) ? assignmentId : null) },
    observedAt: { type: "time", of: ({ snapshot }) => snapshot.observedAt },
    decidedAt: { type: "time" },
    dueAt: { type: "time" },
  },
  indexes: [
    { where: ["certificationId"] },
    { where: ["certificationId"], by: "dueAt" },
    { where: ["certificationId"], by: "observedAt", partial: true },
    { where: ["certificationId", "panelId"] },
    { where: ["reviewingAs"] },
    { where: ["reviewingAs", "status"] },
    { where: ["reviewingAs", "status"], by: "dueAt" },
    { where: [], by: "dueAt" },
    { where: ["undecidedOf"] },
    { where: ["askedBy"] },
    { where: ["staleOf"] },
    { where: ["unfinishedOf"] },
    { where: ["actionableOf", "outcome"], by: "decidedAt" },
    { where: ["follows"] },
    { where: ["reviewedProfile"] },
    { where: ["finishedFor"] },
  ],
  filters: {
    status: { values: statesOf(certificationItemStatus) },
    outcome: { values: OUTCOMES },
    assetId: { ids: "ai_asset" },
    assignmentId: {},
    panelId: {},
    reviewingAs: {},
  },
  orders: { dueAt: "dueAt" },
  counted: ["standing"],
});
