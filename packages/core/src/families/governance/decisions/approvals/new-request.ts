import { boundedSettings } from "#families/platform/index.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { circumstancesAt } from "../ask/digests.js";
import { sessionsOf } from "../ask/facts.js";
import type { Ask } from "../ask/request.js";
import { hiddenPaths, listedInput } from "../record/masks.js";
import type { AskedKeys, JudgedAsk } from "./judged-ask.js";
import { type DecisionApproval, decisionApprovals, MOST_HIDDEN } from "./schema.js";
import { type ApprovalScope, NARROWEST, RequestedScope } from "./scope.js";

/** A new request for approval. */
export async function requestOf(
  ctx: Context,
  { ask, judgement, digests }: JudgedAsk,
  keys: AskedKeys,
): Promise<DecisionApproval> {
  const { subject, action, resource } = ask;
  const { loggedFields } = await boundedSettings(ctx);
  const input = listedInput(ask, loggedFields);
  return {
    ...ctx.stamp(decisionApprovals),
    name: nameOf(`${action.name} on ${resource.type} ${resource.id}`.trim()),
    status: "requested",
    metadata: {},
    actionDigest: digests.action,
    ...keys,
    requestedScope: scopeOf(ask),
    scope: null,
    uses: 0,
    subject: { type: subject.type, id: subject.id },
    action: { name: action.name },
    resource: { type: resource.type, id: resource.id },
    input,
    hidden: hiddenPaths(ask, circumstancesAt(ask, judgement.contextReads), input).slice(0, MOST_HIDDEN),
    reasons: [...judgement.reasons],
    justification: null,
    sessionId: sessionsOf(ask)[0] ?? null,
    assetIds: judgement.parties.all.map(({ id }) => id),
    requestedBy: ctx.principal.userId,
    expiresAt: await expiryFrom(ctx),
    decidedBy: null,
    decidedAt: null,
    relatedParty: false,
    decisionReason: null,
    usedAt: null,
    usedBy: null,
    withdrawnBy: null,
    withdrawnAt: null,
  };
}

/** The scope that a request asks for, which was checked when it was read. */
const scopeOf = ({ context: { approvalScope } }: Ask): ApprovalScope =>
  approvalScope === undefined ? NARROWEST : RequestedScope.parse(approvalScope);

/** When a new request, or an approval given now, expires. */
export async function expiryFrom(ctx: Context): Promise<string> {
  return timestamp(ctx.request.nowMs + minutesMs((await boundedSettings(ctx)).approvalMinutes));
}
