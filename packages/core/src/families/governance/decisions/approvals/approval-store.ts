import { boundedSettings } from "#families/platform/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import { circumstancesAt, type Digests } from "../ask/digests.js";
import { sessionsOf } from "../ask/facts.js";
import type { Ask } from "../ask/request.js";
import type { Judgement } from "../judge/judge.js";
import { hiddenPaths, listedInput } from "../record/masks.js";
import { decisionApprovalStatus } from "./machine.js";
import { type DecisionApproval, decisionApprovals, MOST_HIDDEN } from "./schema.js";

/** A request with its judgement. */
export interface JudgedAsk {
  readonly ask: Ask;
  readonly judgement: Judgement;
  readonly digests: Digests;
}

/** Whether an approval was used for this decision, and the approval or the pending request. */
export interface Answered {
  readonly granted: boolean;
  readonly approval: DecisionApproval;
}

/** Uses approvals and creates requests for them, within the transaction. */
export class ApprovalStore {
  private constructor(
    readonly ctx: Context,
    readonly open: Map<string, DecisionApproval>,
    /** Which approvals are used: those that requests name, or any of the very action. */
    readonly used: "named" | "any",
  ) {}

  /** Reads the open approvals of all these requests at once. */
  static async for(
    ctx: Context,
    wanting: readonly JudgedAsk[],
    used: "named" | "any" = "named",
  ): Promise<ApprovalStore> {
    const keys = [...new Set(wanting.map((one) => askedKeyOf(ctx, one)))];
    const rows =
      keys.length === 0
        ? []
        : await ctx.db.lookupMany(
            decisionApprovals,
            "open",
            keys.map((openKey) => ({ openKey })),
          );
    const open = new Map<string, DecisionApproval>();
    for (const row of rows) {
      if (!row) continue;
      const approval = await ctx.current(decisionApprovals, row);
      // An expired one is replaced by a new request.
      if (approval.version === row.version) open.set(approval.askedKey, approval);
    }
    return new ApprovalStore(ctx, open, used);
  }

  /**
   * Uses the approval that the request names, or any, if it is for the same action, requester, circumstances and rules.
   * Otherwise requests one.
   */
  async ask(wanting: JudgedAsk, decisionId: string): Promise<Answered> {
    const { ctx } = this;
    const { ask } = wanting;
    const key = askedKeyOf(ctx, wanting);
    const known = this.open.get(key);
    if (known?.status === "approved" && (this.used === "any" || ask.context.approvalId === known.id)) {
      this.open.delete(key);
      const patch = { usedAt: ctx.now, usedBy: decisionId };
      const options = { triggeredBy: "policy", reason: "The action was asked for again.", patch } as const;
      const used = await ctx.transition(decisionApprovals, decisionApprovalStatus, known, { event: "use" }, options);
      return { granted: true, approval: used };
    }
    const approval = known ?? (await ctx.insert(decisionApprovals, await requestOf(ctx, wanting, key)));
    this.open.set(key, approval);
    return { granted: false, approval };
  }
}

/**
 * The key of an approval: requester, action, rules with their revisions, and the circumstances that those rules read.
 */
function askedKeyOf({ principal }: Context, { ask, judgement, digests }: JudgedAsk): string {
  const rules = judgement.reasons.map(({ policyKey, ruleKey, revision }) => `${policyKey}/${ruleKey}:${revision}`);
  const circumstances = circumstancesAt(ask, judgement.contextReads);
  return sha256(canonical([principal.userId, digests.action, [...new Set(rules)].sort(), circumstances]));
}

async function requestOf(
  ctx: Context,
  { ask, judgement, digests }: JudgedAsk,
  askedKey: string,
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
    askedKey,
    subject: { type: subject.type, id: subject.id },
    action: { name: action.name },
    resource: { type: resource.type, id: resource.id },
    input,
    hidden: hiddenPaths(ask, circumstancesAt(ask, judgement.contextReads), input).slice(0, MOST_HIDDEN),
    reasons: [...judgement.reasons],
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
  };
}

/** When a new request, or an approval given now, expires. */
export async function expiryFrom(ctx: Context): Promise<string> {
  return timestamp(ctx.request.nowMs + minutesMs((await boundedSettings(ctx)).approvalMinutes));
}
