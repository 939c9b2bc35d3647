import { canonical } from "#kernel/events/canonical.js";
import type { Context } from "#kernel/operation/context.js";
import { sha256 } from "#store/chain.js";
import { circumstancesAt, toolOf } from "../ask/digests.js";
import { sessionsOf } from "../ask/facts.js";
import type { AskedKeys, JudgedAsk } from "./judged-ask.js";
import { decisionApprovalStatus } from "./machine.js";
import { requestOf } from "./new-request.js";
import { type DecisionApproval, decisionApprovals, openKeyOf } from "./schema.js";

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
    const keys = wanting.map((one) => keysOf(ctx, one)).flatMap(({ askedKey, toolKey }) => [askedKey, toolKey ?? []]);
    const openKeys = [...new Set(keys.flat())].map((openKey) => ({ openKey }));
    const rows = openKeys.length === 0 ? [] : await ctx.db.lookupMany(decisionApprovals, "open", openKeys);
    const open = new Map<string, DecisionApproval>();
    for (const row of rows) {
      if (!row) continue;
      const approval = await ctx.current(decisionApprovals, row);
      // An expired one is replaced by a new request.
      if (approval.version === row.version) open.set(openKeyOf(approval) as string, approval);
    }
    return new ApprovalStore(ctx, open, used);
  }

  /**
   * Uses the approval that the request names, or any, if it is for the same action, requester, circumstances and rules.
   * Otherwise requests one, unless `asks` is false.
   */
  async ask(wanting: JudgedAsk, decisionId: string, asks = true): Promise<Answered | undefined> {
    const { ctx } = this;
    const { ask } = wanting;
    const keys = keysOf(ctx, wanting);
    const ofTool = keys.toolKey === null ? undefined : this.open.get(keys.toolKey);
    const known = [this.open.get(keys.askedKey), ofTool].filter((one) => one !== undefined);
    const usable = known.find(
      ({ id, status }) => status === "approved" && (this.used === "any" || ask.context.approvalId === id),
    );
    if (usable) return { granted: true, approval: await this.#use(usable, decisionId) };
    const [waiting] = known;
    if (!waiting && !asks) return undefined;
    const approval = waiting ?? (await ctx.insert(decisionApprovals, await requestOf(ctx, wanting, keys)));
    this.open.set(openKeyOf(approval) as string, approval);
    return { granted: false, approval };
  }

  /** Counts a use against an approval. The last one that it allows ends it. */
  async #use(approval: DecisionApproval, decisionId: string): Promise<DecisionApproval> {
    const { ctx } = this;
    const [key, most] = [openKeyOf(approval) as string, approval.scope?.uses ?? null];
    const patch = { uses: approval.uses + 1, usedAt: ctx.now, usedBy: decisionId };
    if (most === null || patch.uses < most) {
      const data = { decisionId, uses: patch.uses, usesLeft: most === null ? null : most - patch.uses };
      const event = { type: "decision_approval.used", data };
      const used = await ctx.update(decisionApprovals, approval, patch, { event });
      this.open.set(key, used);
      return used;
    }
    this.open.delete(key);
    const options = { triggeredBy: "policy", reason: "The action was asked for again.", patch } as const;
    return ctx.transition(decisionApprovals, decisionApprovalStatus, approval, { event: "use" }, options);
  }
}

/**
 * The keys of an approval: requester, action, rules with their revisions, and the circumstances that those rules read.
 */
function keysOf({ principal }: Context, { ask, judgement, digests }: JudgedAsk): AskedKeys {
  const rules = judgement.reasons.map(({ policyKey, ruleKey, revision }) => `${policyKey}/${ruleKey}:${revision}`);
  const circumstances = circumstancesAt(ask, judgement.contextReads);
  const around = [[...new Set(rules)].sort(), circumstances];
  const sessionIds = sessionsOf(ask);
  const ofTool = ["tool_in_session", principal.userId, sessionIds, toolOf(ask), ...around];
  return {
    askedKey: sha256(canonical([principal.userId, digests.action, ...around])),
    toolKey: sessionIds.length === 0 ? null : sha256(canonical(ofTool)),
  };
}
