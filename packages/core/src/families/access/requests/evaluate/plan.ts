import { canonical } from "../../../../kernel/events/canonical.js";
import { sha256 } from "../../../../kernel/events/chain.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { DAY_MS, timestamp } from "../../../../ports/clock.js";
import { assets } from "../../../estate/index.js";
import { APPROVAL_VALID_FOR } from "../../policies/fields.js";
import { policiesInForce } from "../../policies/plan/in-force.js";
import { isCovered } from "../../policies/rules.js";
import type { AccessPolicy } from "../../policies/schema.js";
import type { AccessProfile } from "../../profiles/schema.js";
import { profilesOf } from "../conflicts/holdings.js";
import { type Look, lookAtConflicts } from "../conflicts/look.js";
import type { AccessRequest, Conflict, Evaluation } from "../schema.js";
import { withinLimits } from "./limits.js";
import { factorsOf } from "./risk.js";
import { type Routed, stagesFor } from "./stages.js";

/** What follows from a request by the policies of this moment: `stages` are those of an approval, if it takes one. */
export interface Plan
  extends Pick<AccessRequest, "policies" | "editors" | "autoAllowedBy" | "approvalValidFor" | "stages"> {
  readonly evaluation: Evaluation;
}

/** Conflicts that nobody may overlook. */
const denials = (conflicts: readonly Conflict[]): readonly Conflict[] =>
  conflicts.filter(({ onHit }) => onHit === "deny");

/** Looks at a request as it is now. It writes nothing. */
export async function planFor(ctx: ReadContext, request: AccessRequest): Promise<Plan> {
  const asset = await ctx.getOrThrow(assets, request.assetId);
  const all = await policiesInForce(ctx);
  const policies = all.filter(({ kind }) => (kind === "emergency") === request.emergency);
  const profiles = await profilesOf(ctx, [...new Set(request.items.map(({ accessProfileId }) => accessProfileId))]);
  const look = await lookAtConflicts(ctx, all, request, profiles);
  const coverOf = (item: AccessRequest["items"][number]) => {
    const profile = profiles.get(item.accessProfileId);
    return profile
      ? policies.filter(({ covers }) => isCovered(covers, { profile, resourceId: item.resourceId, asset }))
      : [];
  };
  const covering = request.items.map((item) => ({ item, by: coverOf(item) }));
  const denying = covering.flatMap(({ by }) => by.filter(({ effect }) => effect === "deny"));
  const routed = covering.map(({ item, by }): Routed => ({ item, policy: by[0] }));
  const allowing = await allowedBy(ctx, request, routed, look, profiles);
  const decision =
    denying.length > 0 || denials(look.conflicts).length > 0
      ? "deny"
      : typeof allowing === "object"
        ? "allow"
        : "require_approval";
  const used = [...new Set([...denying, ...routed.flatMap(({ policy }) => (policy ? [policy] : []))])];
  const factors = factorsOf(request, asset, look.conflicts);
  const named = used.map(({ id, version, name }) => ({ id, version, name }));
  const explanations = [
    ...denying.map(({ name }) => `The policy "${name}" denies it.`),
    ...look.conflicts.map(({ text }) => text),
    ...(typeof allowing === "object" ? [`The policy "${allowing.name}" allows it.`] : [allowing]),
    ...(routed.some(({ policy }) => !policy) ? ["No policy is about some of it, so it takes the usual approval."] : []),
  ];
  const stages = stagesFor(routed);
  return {
    policies: named,
    editors: editorsOf(ctx, used),
    autoAllowedBy: decision === "allow" && typeof allowing === "object" ? allowing.id : null,
    approvalValidFor: used[0]?.approvalValidFor ?? APPROVAL_VALID_FOR,
    stages,
    evaluation: {
      decision,
      riskScore: Math.min(
        100,
        factors.reduce((sum, { points }) => sum + points, 0),
      ),
      factors,
      conflicts: look.conflicts,
      inputsHash: sha256(canonical([request.scopeHash, named, look.conflicts, decision === "deny", stages])),
      evaluatedAt: ctx.now,
      explanations: [...new Set(explanations)],
    },
  };
}

/** The policy that allows a request without an approval, or why none does. */
async function allowedBy(
  ctx: ReadContext,
  request: AccessRequest,
  routed: readonly Routed[],
  { conflicts, own, cut }: Look,
  profiles: ReadonlyMap<string, AccessProfile>,
): Promise<AccessPolicy | string> {
  const [first, ...others] = new Set(routed.map(({ policy }) => policy));
  if (first?.effect !== "allow" || others.length > 0) return "It takes an approval.";
  if (conflicts.some(({ onHit }) => onHit !== "warn")) return "What conflicts is not allowed without an approval.";
  if (cut) return "It could be used together with too much to be allowed without an approval.";
  if (editorsOf(ctx, [first]).includes(request.requestedBy))
    return "Whoever has changed a policy is allowed nothing by it for a day.";
  const asset = await ctx.getOrThrow(assets, request.assetId);
  const held = own.filter(({ profile, resourceId }) => isCovered(first.covers, { profile, resourceId, asset })).length;
  const wanted = routed.filter(({ item }) => profiles.has(item.accessProfileId)).length;
  return (await withinLimits(ctx, request, first, held + wanted)) ?? first;
}

/** Ids of who has changed some policies within a day. */
export function editorsOf(ctx: ReadContext, policies: readonly AccessPolicy[]): string[] {
  const since = timestamp(ctx.request.nowMs - DAY_MS);
  return [...new Set(policies.flatMap(({ editedBy }) => editedBy.filter(({ at }) => at > since).map(({ by }) => by)))];
}
