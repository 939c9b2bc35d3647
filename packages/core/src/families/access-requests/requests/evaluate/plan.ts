import {
  type AccessPolicy,
  type AccessProfile,
  APPROVAL_VALID_FOR,
  isCovered,
  pendingForOf,
  policiesInForce,
  policyEditors,
} from "#families/access/index.js";
import { refusedDeciders } from "#families/accountability/index.js";
import { assets } from "#families/estate/index.js";
import { users } from "#families/identity/index.js";
import { canonical } from "#kernel/events/canonical.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { sha256 } from "#store/chain.js";
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
  /** How long it waits for an approval. */
  readonly pendingFor: string;
}

/** What of a request its plan depends on. */
type Planned = Pick<
  AccessRequest,
  | ("id" | "assetId" | "identityId" | "assignmentId" | "items" | "emergency" | "scopeHash" | "requestedBy")
  | ("duration" | "expiresAt" | "isPermanent" | "notBefore")
>;

/** Conflicts that nobody may overlook. */
const denials = (conflicts: readonly Conflict[]): readonly Conflict[] =>
  conflicts.filter(({ onHit }) => onHit === "deny");

/** Looks at a request as it is now. It writes nothing. */
export async function planFor(ctx: ReadContext, request: Planned): Promise<Plan> {
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
  const editors = await policyEditors(ctx, all);
  const allowing = await allowedBy(ctx, request, { routed, look, profiles, editors });
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
    ...(look.cut ? ["It could be used together with more than was looked at for conflicts."] : []),
    ...(routed.some(({ policy }) => !policy) ? ["No policy is about some of it, so it takes the usual approval."] : []),
  ];
  const stages = stagesFor(routed);
  return {
    policies: named,
    editors,
    autoAllowedBy: decision === "allow" && typeof allowing === "object" ? allowing.id : null,
    approvalValidFor: used[0]?.approvalValidFor ?? APPROVAL_VALID_FOR,
    stages,
    pendingFor: pendingForOf(routed.flatMap(({ policy }) => policy ?? [])),
    evaluation: {
      decision,
      riskScore: Math.min(
        100,
        factors.reduce((sum, { points }) => sum + points, 0),
      ),
      factors,
      conflicts: look.conflicts,
      inputsHash: sha256(
        canonical([
          request.scopeHash,
          named,
          look.conflicts,
          decision === "deny",
          stages,
          ...(look.cut ? ["cut"] : []),
        ]),
      ),
      evaluatedAt: ctx.now,
      explanations: [...new Set(explanations)],
    },
  };
}

interface Circumstances {
  readonly routed: readonly Routed[];
  readonly look: Look;
  readonly profiles: ReadonlyMap<string, AccessProfile>;
  readonly editors: readonly string[];
}

/** The policy that allows a request without an approval, or why none does. */
async function allowedBy(
  ctx: ReadContext,
  request: Planned,
  { routed, look: { conflicts, own, cut }, profiles, editors }: Circumstances,
): Promise<AccessPolicy | string> {
  const [first, ...others] = new Set(routed.map(({ policy }) => policy));
  if (first?.effect !== "allow" || others.length > 0) return "It takes an approval.";
  if (conflicts.some(({ onHit }) => onHit !== "warn")) return "What conflicts is not allowed without an approval.";
  if (cut) return "It could be used together with too much to be allowed without an approval.";
  if (await isOfEditor(ctx, request, editors))
    return "Whoever has changed a policy is allowed nothing without an approval for a day.";
  const asset = await ctx.getOrThrow(assets, request.assetId);
  const held = own.filter(({ profile, resourceId }) => isCovered(first.covers, { profile, resourceId, asset })).length;
  const wanted = routed.filter(({ item }) => profiles.has(item.accessProfileId)).length;
  return (await withinLimits(ctx, request, first, held + wanted)) ?? first;
}

/** Whether somebody asks who has changed a policy within a day, or a machine of theirs. */
async function isOfEditor(ctx: ReadContext, { requestedBy }: Planned, editors: readonly string[]) {
  if (editors.includes(requestedBy)) return true;
  if (editors.length === 0) return false;
  const people = (await ctx.db.getMany(users, editors)).map(({ value }) => value);
  return (await refusedDeciders(ctx, people, [requestedBy])).size > 0;
}
