import { defineCollection } from "#kernel/records/collection.js";
import { RelatedParty } from "#kernel/records/involved.js";
import { statesOf } from "#kernel/records/machine.js";
import { recordShape, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { DecisionReason } from "../schema.js";
import { decisionApprovalStatus } from "./machine.js";
import { ApprovalScope } from "./scope.js";

const Named = z.object({
  type: z.string().meta({ description: "What kind of thing it is." }),
  id: z.string().meta({ description: "Id of it, as the host knows it." }),
});

/** The most paths of values that are not shown. */
export const MOST_HIDDEN = 100;

/** A request for the approval of one action. It is used once, unless it was given for more. */
export const DecisionApproval = z
  .object({
    ...recordShape(z.enum(statesOf(decisionApprovalStatus))),
    actionDigest: z.string().meta({
      description:
        "SHA-256 of subject, action and resource: what it is bound to, with what the rules read of `context`.",
    }),
    askedKey: z.string().meta({
      description: "Action, asker, the rules that want approval and what they read of `context`, in one hash.",
    }),
    toolKey: z.string().nullable().meta({
      description: "As `askedKey`, with any arguments of the tool within the session; `null`: no session was named.",
    }),
    requestedScope: ApprovalScope.meta({ description: "The most that may be given." }),
    scope: ApprovalScope.nullable().meta({ description: "What was given; `null` until then." }),
    uses: z.int().min(0).meta({ description: "How often it was used." }),
    subject: Named.meta({ description: "The person or agent who asks." }),
    action: z
      .object({ name: z.string().meta({ description: "Name of the action." }) })
      .meta({ description: "The action that is asked for." }),
    resource: Named.meta({ description: "The object that the action is about." }),
    input: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description:
        "Values of the request that the provider lists for logs, by path; never one that is named like a secret.",
    }),
    hidden: z
      .array(z.string())
      .max(MOST_HIDDEN)
      .meta({
        description: `Paths of values that it is bound to and that \`input\` does not show, the first ${MOST_HIDDEN}. Values are never kept.`,
      }),
    reasons: z.array(DecisionReason).meta({ description: "The rules that want approval." }),
    justification: z
      .string()
      .nullable()
      .meta({ description: "Why it is needed, in the words of who asked; `null`: none were given." }),
    sessionId: z.string().nullable().meta({ description: "Id of the session it is for." }),
    assetIds: z.array(z.string()).meta({ description: "Ids of assets it is about." }),
    requestedBy: z.string().meta({ description: "Who asked for the decision, and alone can use the approval." }),
    expiresAt: Time.meta({ description: "From then on a request or an approval that was not used reads `expired`." }),
    decidedBy: z.string().nullable().meta({ description: "Id of who decided." }),
    decidedAt: Time.nullable().meta({ description: "When it was decided." }),
    relatedParty: RelatedParty,
    decisionReason: z.string().nullable().meta({ description: "Why it was decided so." }),
    usedAt: Time.nullable().meta({ description: "When it was last used." }),
    usedBy: z.string().nullable().meta({ description: "Id of the last decision that it allowed." }),
    withdrawnBy: z.string().nullable().meta({ description: "Id of who withdrew or cancelled it." }),
    withdrawnAt: Time.nullable().meta({ description: "When it was withdrawn or cancelled." }),
  })
  .meta({ id: "DecisionApproval" });
export type DecisionApproval = z.output<typeof DecisionApproval>;

const isOpen = ({ status }: DecisionApproval) => status === "requested" || status === "approved";

/** The key by which an open approval is found: of the very call, or of the tool in its session. */
export const openKeyOf = ({ scope, askedKey, toolKey }: Pick<DecisionApproval, "scope" | "askedKey" | "toolKey">) =>
  scope?.covers === "tool_in_session" ? toolKey : askedKey;

/** Requests for approval. At most one is open for the same requester, action and rules. */
export const decisionApprovals = defineCollection<DecisionApproval>({
  name: "decision_approvals",
  prefix: "apr",
  schema: DecisionApproval,
  resource: { type: "decision_approval", event: "decision_approval", path: "/api/v1/ai-governance/approvals" },
  related: ({ assetIds, sessionId }) => (sessionId === null ? assetIds : [...assetIds, sessionId]),
  machines: { status: decisionApprovalStatus },
  fields: {
    status: { type: "text" },
    action: { type: "text", of: ({ action }) => action.name },
    requestedBy: { type: "text" },
    sessionId: { type: "text" },
    assetIds: { type: "texts" },
    /** `null` once it can no longer be used. */
    openKey: { type: "text", compare: "exact", of: (approval) => (isOpen(approval) ? openKeyOf(approval) : null) },
    dueAt: { type: "time", of: (approval) => (isOpen(approval) ? approval.expiresAt : null) },
    /** When it was used, was refused or ran out. `null` while it can still be used. */
    overSince: { type: "time", of: overSince },
  },
  unique: { open: ["openKey"] },
  indexes: [
    { where: ["sessionId"] },
    { where: ["requestedBy"] },
    { where: ["status"] },
    { where: [], by: "dueAt" },
    { where: [], by: "overSince", partial: true },
  ],
  filters: {
    status: { values: statesOf(decisionApprovalStatus), changesAt: "dueAt" },
    action: { description: "Name of the action." },
    requestedBy: {},
    sessionId: {},
    assetId: { field: "assetIds", ids: "ai_asset", description: "Id of an asset that the action is about." },
  },
  orders: { dueAt: "dueAt" },
  counted: ["status"],
  retain: true,
  timeTransition: {
    by: "dueAt",
    machine: decisionApprovalStatus,
    event: "expire",
    reason: "It was not decided, or not used, in time.",
  },
});

function overSince(approval: DecisionApproval): string | null {
  if (isOpen(approval)) return null;
  const { status, expiresAt, withdrawnAt, usedAt, decidedAt } = approval;
  return status === "expired" ? expiresAt : (withdrawnAt ?? usedAt ?? decidedAt);
}
