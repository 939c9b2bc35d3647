import {
  accessIdentities,
  accessProfiles,
  accessResources,
  PROVISION,
  principalSubject,
  whyUnmanaged,
} from "#families/access/index.js";
import { type AccessAssignment, type AccessLane, holdingOf, requireGrantable } from "#families/access-grants/index.js";
import { conflictsOfAssignment } from "#families/access-requests/index.js";
import { instances } from "#families/connectors/index.js";
import { assets, deniedBecause, effectiveOf, engagedSwitchesOf } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

const refused = (message: string) => new ReeveError("transition_guard_failed", message);

/**
 * Refuses to have a target grant again what could not be granted now: a repair is no way around a request. 409, or 503
 * while provisioning is switched off.
 */
export async function requireStillAllowed(ctx: Context, one: AccessAssignment): Promise<void> {
  if (!holdingOf(one)) throw refused(`The access is ${one.status}.`);
  if ((await engagedSwitchesOf(ctx)).has(PROVISION))
    throw new ReeveError("kill_switch_active", `The switch "${PROVISION}" is engaged.`, {
      members: { killSwitch: PROVISION },
      headers: { "retry-after": "30" },
    });
  await requireSameMeaning(ctx, one);
  await requireUsable(ctx, one);
  await requireWritable(ctx, one, "grant");
  const conflicts = await conflictsOfAssignment(ctx, one);
  if (conflicts.length > 0) throw new ReeveError("sod_conflict", conflicts[0]?.text, { members: { conflicts } });
}

/** What was decided is the same thing still: its kind of access, its resource and whom it is for. */
async function requireSameMeaning(ctx: ReadContext, one: AccessAssignment): Promise<void> {
  const profile = await ctx.getOrThrow(accessProfiles, one.accessProfileId);
  const resource = await ctx.getOrThrow(accessResources, one.resourceId);
  if (resource.status !== "active") throw refused(`The resource is ${resource.status}.`);
  requireGrantable(profile, resource, one.principal.type);
  if (profile.definitionHash !== one.approvedHash)
    throw refused("The access profile means something else than when it was granted. Ask for it anew.");
  const identity = (await ctx.db.get(accessIdentities, one.identityId))?.value;
  if (!identity || principalSubject(identity.principal) !== principalSubject(one.principal))
    throw refused("The asset does not act as this in the target any more.");
}

/** Whatever stops the asset stops this: kill switches, halts, its own state and what it stands or falls with. */
async function requireUsable(ctx: ReadContext, { assetId }: AccessAssignment): Promise<void> {
  const row = await ctx.db.get(assets, assetId);
  const asset = row && ctx.derived(assets, row);
  if (!asset || asset.status === "retired") throw refused("The asset is retired.");
  const effective = await effectiveOf(ctx, asset.id, asset.assetType);
  if (effective.decision === "deny") throw refused(`The asset may not be used now: ${deniedBecause(effective)}.`);
}

/** 409 unless the target lets access be changed through Reeve. */
export async function requireWritable(
  ctx: ReadContext,
  { connectorInstanceId, resourceId }: Pick<AccessLane, "connectorInstanceId"> & { readonly resourceId: string | null },
  way: "grant" | "revoke",
): Promise<void> {
  const row = await ctx.db.get(instances, connectorInstanceId);
  const instance = row && ctx.derived(instances, row);
  if (!instance) throw refused("The target is gone.");
  if (instance.governanceMode !== "managed")
    throw refused("The target is under observation: access there is never changed.");
  const unmanaged = resourceId === null ? undefined : await whyUnmanaged(ctx, resourceId);
  if (unmanaged !== undefined) throw refused(unmanaged);
  if (way === "grant" && instance.status !== "active") throw refused(`The target is ${instance.status}.`);
  if (!ctx.env.connectors.get(instance.providerKey)?.[way])
    throw new ReeveError("capability_missing", `Its connector ${way}s nothing.`);
}
