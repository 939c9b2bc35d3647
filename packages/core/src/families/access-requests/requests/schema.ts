import { Approver, ON_HIT, RISK_LEVELS, SEVERITIES } from "#families/access/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Duration } from "#kernel/records/duration.js";
import { AnyObject, Attributes } from "#kernel/records/generic-body.js";
import { statesOf } from "#kernel/records/machine.js";
import { READ_ONLY, recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ITEM_STATES, REQUEST_TYPES, RESOLUTIONS, RequestFields, STAGE_STATES, VOTES } from "./fields.js";
import { accessRequestStatus } from "./machine.js";

const Text = z.string();
const Ids = z.array(z.string());

export const RequestItem = z.object({
  key: Text.meta({ description: "Names it within the request." }),
  accessProfileId: Text.meta({ description: "The kind of access." }),
  profileName: Text.meta({ description: "The name of the access profile." }),
  resourceId: Text.meta({ description: "Id of the resource." }),
  resourceName: Text.meta({ description: "The name of the resource." }),
  parameters: AnyObject.meta({ description: "What narrows it." }),
  grantKey: Text.meta({ description: "Hash of the access itself." }),
  definitionHash: Text.meta({ description: "What the profile meant when it was looked at." }),
  permissions: Ids.meta({ description: "What it permits; the first 50." }),
  effect: Text.meta({ description: "The most that it lets somebody do." }),
  privilegeLevel: z.int().meta({ description: "As its profile has it." }),
  riskLevel: z.enum(RISK_LEVELS).meta({ description: "As its profile has it." }),
  status: z.enum(ITEM_STATES).meta({ description: "Whether the target has it." }),
  assignmentId: Text.nullable().meta({ description: "The assignment that came of it." }),
  error: z
    .object({
      code: Text.meta({ description: "The code of the failure." }),
      message: Text.meta({ description: "The reason in words for people." }),
    })
    .nullable()
    .meta({ description: "Why the target has not." }),
});
export type RequestItem = z.output<typeof RequestItem>;

export const Conflict = z.object({
  rule: Text.meta({ description: "Policy and key of the rule." }),
  severity: z.enum(SEVERITIES).meta({ description: "How much harm both can do together." }),
  onHit: z.enum(ON_HIT).meta({ description: "The consequence of a match." }),
  text: Text.meta({ description: "What is wrong, in words." }),
  assetId: Text.meta({ description: "The asset that could do both." }),
});
export type Conflict = z.output<typeof Conflict>;

const Evaluation = z.object({
  decision: z.enum(["allow", "deny", "require_approval"]).meta({ description: "What policies say." }),
  riskScore: z.int().min(0).max(100).meta({ description: "Sum of the points of `factors`, at most 100." }),
  factors: z
    .array(
      z.object({
        key: Text.meta({ description: "The key that names it." }),
        points: z.int().meta({ description: "What it adds." }),
      }),
    )
    .meta({ description: "What raises its risk." }),
  conflicts: z.array(Conflict).meta({ description: "What it conflicts with." }),
  inputsHash: Text.meta({ description: "Hash of all that it depends on." }),
  evaluatedAt: Time.meta({ description: "The time when the policies were evaluated." }),
  explanations: z.array(Text).meta({ description: "Why, in words." }),
});
export type Evaluation = z.output<typeof Evaluation>;

const Person = z.object({
  userId: Text.meta({ description: "Id of the user." }),
  name: Text.meta({ description: "The name that people are shown." }),
  why: Text.meta({ description: "The reason in words." }),
});
export type Candidate = z.output<typeof Person>;

export const RequestStage = z.object({
  name: Text.meta({ description: "What it is called." }),
  policyId: Text.nullable().meta({ description: "The policy that wants it; `null`: the usual one." }),
  items: Ids.meta({ description: "Keys of the items that it is about." }),
  mode: z.enum(["any", "all", "quorum"]).meta({ description: "How many must agree." }),
  approveThreshold: z.int().nullable().meta({ description: "How many, for `quorum`." }),
  denyThreshold: z.int().meta({ description: "How many refusals reject it." }),
  approvers: z.array(Approver).meta({ description: "Who is asked." }),
  fallback: z.array(Approver).meta({ description: "Who is asked where nobody of them may decide." }),
  timeout: Duration.nullable().meta({ description: "How long they have." }),
  onTimeout: z.enum(["escalate", "reject", "expire"]).meta({ description: "What follows then." }),
  escalateTo: z.array(Approver).meta({ description: "Who is asked then." }),
  candidates: z.array(Person).meta({ description: "Who may decide, and why they are asked." }),
  excluded: z.array(Person).meta({ description: "Who may not, and why." }),
  status: z.enum(STAGE_STATES).meta({ description: "How far it is." }),
  startedAt: Time.nullable().meta({ description: "Since when they are asked." }),
  dueAt: Time.nullable().meta({ description: "The time by which it is to be decided." }),
  escalated: z.boolean().meta({ description: "Others are asked, because nobody had answered." }),
});
export type RequestStage = z.output<typeof RequestStage>;

const Narrowing = z.object({
  duration: Duration.nullable().meta({ description: "How long at most." }),
  expiresAt: Time.nullable().meta({ description: "Until when at most." }),
  parameters: z.record(z.string(), AnyObject).meta({ description: "Narrower parameters, by key of the item." }),
});
export type Narrowing = z.output<typeof Narrowing>;

export const Vote = z.object({
  stage: z.int().meta({ description: "In which stage, from 0." }),
  by: Text.meta({ description: "Id of who." }),
  decision: z.enum(VOTES).meta({ description: "The decision that was taken." }),
  reason: Text.nullable().meta({ description: "The reason in words." }),
  scopeHash: Text.meta({ description: "What was looked at." }),
  narrowed: Narrowing.nullable().meta({ description: "What of it only." }),
  at: Time.meta({ description: "The time when it happened." }),
  stale: z.boolean().meta({ description: "It counts no more: what it was about has changed, or who gave it may not." }),
  relatedParty: z.boolean().meta({ description: "Who gave it is related to who asked." }),
});
export type Vote = z.output<typeof Vote>;

const Exemption = z.object({
  rule: Text.meta({ description: "Policy and key of the rule." }),
  by: Text.meta({ description: "Id of who." }),
  reason: Text.meta({ description: "The reason in words." }),
  expiresAt: Time.meta({ description: "Until when. The access ends then at the latest." }),
  at: Time.meta({ description: "The time when it happened." }),
});
export type ConflictExemption = z.output<typeof Exemption>;

const { items: _items, identityId: _as, autoEvaluate: _auto, permanent: _for, ...asked } = RequestFields.shape;

/** A request for access, as it is stored. */
export const AccessRequest = z
  .object({
    ...recordShape(z.enum(statesOf(accessRequestStatus))),
    assetId: Text.meta({ description: "The asset that is to have it." }),
    identityId: Text.meta({ description: "What it acts as in the target." }),
    connectorInstanceId: Text.meta({ description: "Id of the connection to the target." }),
    type: z.enum(REQUEST_TYPES).meta({ description: "What becomes of it." }),
    assignmentId: asked.assignmentId.nullable(),
    assignmentHash: Text.nullable().meta({
      description: "Hash of the access and the end of that assignment when it was asked to be changed.",
    }),
    emergency: asked.emergency,
    items: z.array(RequestItem).meta({ description: "What is asked for." }),
    reason: Text.meta({ description: "The reason in words." }),
    ticketRef: asked.ticketRef.nullable(),
    attachments: asked.attachments,
    requestedBy: Text.meta({ description: "Id of who asked." }),
    requestedKind: z.enum(["user", "client", "system"]).meta({ description: "A person or a machine." }),
    duration: Duration.nullable().meta({ description: "How long, from when it is granted." }),
    expiresAt: Time.nullable().meta({ description: "The time when the access ends." }),
    isPermanent: z.boolean().meta({ description: "Without an end." }),
    notBefore: Time.nullable().meta({ description: "The time when the access begins." }),
    granted: Narrowing.omit({ parameters: true })
      .extend({ isPermanent: z.boolean().meta({ description: "Without an end." }) })
      .nullable()
      .meta({ description: "How long it was approved for." }),
    scopeHash: Text.meta({ description: "Hash of what is decided about. A vote names it." }),
    policies: z
      .array(
        z.object({
          id: Text.meta({ description: "Id of the policy." }),
          version: z.int().meta({ description: "Version of the policy." }),
          name: Text.meta({ description: "The name that people are shown." }),
        }),
      )
      .meta({ description: "By which policies it is decided." }),
    editors: Ids.meta({ description: "Ids of who had changed or removed policies within a day." }),
    autoAllowedBy: Text.nullable().meta({ description: "The policy that allows it without an approval." }),
    approvalValidFor: Duration.meta({ description: "How long an approval can be used." }),
    evaluation: Evaluation.nullable().meta({ description: "What would follow from it." }),
    stages: z.array(RequestStage).meta({ description: "Who is asked, one round after another." }),
    votes: z.array(Vote).meta({ description: "What people have said." }),
    exemptions: z.array(Exemption).meta({ description: "Conflicts that somebody has permitted." }),
    awaitingInfo: z.boolean().meta({ description: "An approver wants to know more." }),
    pendingExpiresAt: Time.meta({ description: "Until when it waits for approval." }),
    approvalEndsAt: Time.nullable().meta({ description: "Until when an approval can be used." }),
    lookAgainAt: Time.nullable().meta({ description: "When Reeve looks at it again by itself." }),
    resolution: z
      .object({
        by: Text.meta({ description: "Id of who." }),
        at: Time.meta({ description: "The time when it happened." }),
        code: z.enum(RESOLUTIONS).meta({ description: "How the request was resolved." }),
        reason: Text.nullable().meta({ description: "The reason in words." }),
      })
      .nullable()
      .meta({ description: "How it was decided." }),
    supersedesRequestId: asked.supersedesRequestId.nullable(),
    attributes: Attributes,
  })
  .meta({ id: "StoredAccessRequest" });
export type AccessRequest = z.output<typeof AccessRequest>;

/** Properties of a request that no body sets: a body may repeat them but not change them. */
export const REQUEST_READ_ONLY: readonly string[] = [
  ...READ_ONLY,
  ...["assetId", "requestedBy", "requestedKind", "isPermanent", "granted", "scopeHash", "policies", "editors"],
  ...[
    "assignmentHash",
    "autoAllowedBy",
    "approvalValidFor",
    "evaluation",
    "stages",
    "votes",
    "exemptions",
    "awaitingInfo",
  ],
  ...["pendingExpiresAt", "approvalEndsAt", "lookAgainAt", "resolution", "waitingFor", "wouldAllow"],
];

type Status = AccessRequest["status"];
const UNDECIDED: ReadonlySet<Status> = new Set(["submitted", "pending_approval"]);
const UNUSED: ReadonlySet<Status> = new Set(["approved", "scheduled"]);
const OVER: ReadonlySet<Status> = new Set(["provisioned", "rejected", "cancelled", "expired"]);

export const isOver = ({ status }: Pick<AccessRequest, "status">): boolean => OVER.has(status);
/** Whether nothing of it was begun in the target. */
export const isUnstarted = ({ status }: Pick<AccessRequest, "status">): boolean =>
  UNDECIDED.has(status) || UNUSED.has(status);

/** When time ends it; `null` when it does not. */
function lapsesAt({ status, pendingExpiresAt, approvalEndsAt }: AccessRequest): string | null {
  return UNDECIDED.has(status) ? pendingExpiresAt : UNUSED.has(status) ? approvalEndsAt : null;
}

/** The stage whose people are asked now. */
export const activeStage = ({ status, stages }: Pick<AccessRequest, "status" | "stages">): RequestStage | undefined =>
  status === "pending_approval" ? stages.find((stage) => stage.status === "active") : undefined;

const isBegun = ({ assignmentId }: RequestItem): boolean => assignmentId !== null;

/** When jobs go on with it. */
function workAt(request: AccessRequest): string | null {
  if (isOver(request) || request.status === "submitted") return null;
  const moments = [activeStage(request)?.dueAt ?? null, request.lookAgainAt].filter((moment) => moment !== null);
  return moments.sort()[0] ?? null;
}

/** Requests for access, past and present. Never removed. */
export const accessRequests = defineCollection<AccessRequest>({
  name: "access_requests",
  prefix: "areq",
  schema: AccessRequest,
  resource: { type: "access_request", event: "access.request", path: "/api/v1/access-requests" },
  machines: { status: accessRequestStatus },
  related: ({ assetId, connectorInstanceId, assignmentId }) =>
    [assetId, connectorInstanceId, assignmentId].filter((id) => id !== null),
  fields: {
    status: { type: "text" },
    assetId: { type: "text" },
    connectorInstanceId: { type: "text" },
    requestedBy: { type: "text" },
    emergency: { type: "boolean" },
    /** The assignment that it changes in the target now. */
    changing: { type: "text", of: (one) => (one.status === "provisioning" ? one.assignmentId : null) },
    /** The assignment that it has changed, or has begun to. */
    changed: { type: "text", of: (one) => (one.items.some(isBegun) ? one.assignmentId : null) },
    autoAllowedBy: { type: "text" },
    /** When it was allowed without an approval. */
    allowedAt: { type: "time", of: (one) => (one.autoAllowedBy === null ? null : (one.resolution?.at ?? null)) },
    lapsesAt: { type: "time", of: lapsesAt },
    workAt: { type: "time", of: workAt },
    pendingExpiresAt: { type: "time" },
  },
  indexes: [
    { where: ["status"] },
    { where: ["assetId"] },
    { where: ["connectorInstanceId"] },
    { where: ["requestedBy"] },
    { where: ["changing"] },
    { where: ["changed"] },
    { where: ["autoAllowedBy"], by: "allowedAt", partial: true },
    { where: [], by: "lapsesAt", partial: true },
    { where: [], by: "workAt", partial: true },
    { where: [], by: "pendingExpiresAt" },
  ],
  filters: {
    status: { values: statesOf(accessRequestStatus), changesAt: "lapsesAt" },
    assetId: { ids: "ai_asset" },
    connectorInstanceId: {},
    requestedBy: {},
    emergency: { type: "boolean" },
  },
  orders: { pendingExpiresAt: "pendingExpiresAt" },
  counted: ["status"],
  timeTransition: {
    by: "lapsesAt",
    machine: accessRequestStatus,
    event: "expire",
    reason: "Its time was over.",
    patch: (request) => ({
      lookAgainAt: null,
      resolution: { by: "system", at: lapsesAt(request) ?? request.updatedAt, code: "expired", reason: null },
    }),
  },
});

const OpenGrant = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  requestId: z.string(),
  grantKey: z.string(),
  assetId: z.string(),
  identityId: z.string(),
  resourceId: z.string(),
  accessProfileId: z.string(),
  connectorInstanceId: z.string(),
});
export type OpenGrant = z.output<typeof OpenGrant>;

/** The access that open requests ask for: each grant by one of them only. */
export const openGrants = defineCollection<OpenGrant>({
  name: "access_open_grants",
  prefix: "aog",
  schema: OpenGrant,
  fields: { requestId: { type: "text" }, grantKey: { type: "text", compare: "exact" }, assetId: { type: "text" } },
  unique: { grant: ["grantKey"] },
  indexes: [{ where: ["requestId"] }, { where: ["assetId"] }],
  secrets: [],
});

const AskedApprover = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  requestId: z.string(),
  userId: z.string(),
  assetId: z.string(),
  connectorInstanceId: z.string(),
});
export type AskedApprover = z.output<typeof AskedApprover>;

/** Whom requests wait for, so that each finds theirs by an index. */
export const askedApprovers = defineCollection<AskedApprover>({
  name: "access_asked_approvers",
  prefix: "aap",
  schema: AskedApprover,
  fields: {
    requestId: { type: "text", compare: "exact" },
    userId: { type: "text", compare: "exact" },
    assetId: { type: "text" },
    connectorInstanceId: { type: "text" },
  },
  unique: { person: ["requestId", "userId"] },
  indexes: [{ where: ["requestId"] }, { where: ["userId"] }],
  filters: { assetId: { ids: "ai_asset" }, connectorInstanceId: {} },
  secrets: [],
});
