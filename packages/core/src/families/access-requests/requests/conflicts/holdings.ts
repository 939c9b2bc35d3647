import {
  type AccessProfile,
  type AccessSide,
  accessIdentities,
  accessProfiles,
  sharedKey,
} from "#families/access/index.js";
import { accessAssignments, holdingOf } from "#families/access-grants/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { openGrants } from "../schema.js";
import { sharersOf } from "./sharers.js";

const MOST = 200;

/** Access that an asset has, or that it is asked for. */
export interface Holding {
  readonly assetId: string;
  readonly identityId: string;
  /** What the identity acts as, as `sharedKey`. */
  readonly principal: string;
  readonly resourceId: string;
  readonly profile: AccessProfile;
  /** The assignment or the request that it is of. */
  readonly of: string;
}

/** Access by the asset that has it. */
export interface Held {
  readonly byAsset: ReadonlyMap<string, readonly Holding[]>;
  /** Whether some of it was left out, because it is too much. */
  readonly cut: boolean;
}

/**
 * For each of some assets its own access and that of other assets which act as the same principals: all that they hold,
 * and all that open requests ask for. `except` is left out.
 */
export async function holdingsOf(
  ctx: ReadContext,
  assetIds: readonly string[],
  except: ReadonlySet<string>,
): Promise<Held> {
  const sharers = await sharersOf(ctx, assetIds);
  const others = [...sharers.byAsset.values()].flat();
  const { byAsset: own, cut } = await ownHoldings(
    ctx,
    [...new Set([...assetIds, ...others.map(({ assetId }) => assetId)])],
    except,
  );
  const byAsset = new Map(
    assetIds.map((id) => {
      const shared = (sharers.byAsset.get(id) ?? []).flatMap((identity) =>
        (own.get(identity.assetId) ?? []).filter(({ identityId }) => identityId === identity.id),
      );
      return [id, [...(own.get(id) ?? []), ...shared]] as const;
    }),
  );
  return { byAsset, cut: cut || sharers.cut };
}

async function ownHoldings(ctx: ReadContext, assetIds: readonly string[], except: ReadonlySet<string>): Promise<Held> {
  const live = await inChunks(assetIds, async (values) => [
    ...(await ctx.db.findTopPerKey(accessAssignments, { field: "liveFor", values, size: MOST })).values(),
  ]);
  const open = await inChunks(assetIds, async (values) => [
    ...(await ctx.db.findTopPerKey(openGrants, { field: "assetId", values, size: MOST })).values(),
  ]);
  const granted = live.flat().map((row) => ctx.derived(accessAssignments, row));
  const asked = open.flat().map(({ value }) => value);
  const principals = await principalsOf(ctx, [...new Set(asked.map(({ identityId }) => identityId))]);
  const all = [
    ...granted.flatMap((one) => (holdingOf(one) ? [{ ...one, of: one.id, principal: sharedKey(one) }] : [])),
    ...asked.map((one) => ({ ...one, of: one.requestId, principal: principals.get(one.identityId) ?? "" })),
  ].filter((one) => !except.has(one.of));
  const profiles = await profilesOf(ctx, [...new Set(all.map(({ accessProfileId }) => accessProfileId))]);
  const byAsset = new Map<string, Holding[]>();
  for (const { assetId, identityId, principal, resourceId, accessProfileId, of } of all) {
    const profile = profiles.get(accessProfileId);
    const holding = profile && { assetId, identityId, principal, resourceId, profile, of };
    if (holding) byAsset.set(assetId, [...(byAsset.get(assetId) ?? []), holding]);
  }
  return { byAsset, cut: [...live, ...open].some((rows) => rows.length === MOST) };
}

/** What identities act as, as `sharedKey`, by their ids. */
export async function principalsOf(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await inChunks(ids, (some) => ctx.db.getMany(accessIdentities, some));
  return new Map(rows.map(({ id, value }) => [id, sharedKey(value)]));
}

/** Profiles by their ids, in as few queries as they take. */
export async function profilesOf(ctx: ReadContext, ids: readonly string[]): Promise<Map<string, AccessProfile>> {
  const rows = await inChunks(ids, (some) => ctx.db.getMany(accessProfiles, some));
  return new Map(rows.map(({ id, value }) => [id, value]));
}

const among = <T>(wanted: readonly T[] | undefined, one: T) => wanted === undefined || wanted.includes(one);
const meets = (wanted: readonly string[] | undefined, some: readonly string[]) =>
  wanted === undefined || some.some((one) => wanted.includes(one));

/** Whether access is on a side of a conflict. */
export function isOnSide(side: AccessSide, profile: AccessProfile): boolean {
  return (
    among(side.profileIds, profile.id) &&
    among(side.connectorInstanceIds, profile.connectorInstanceId) &&
    among(side.resourceTypes, profile.resourceType) &&
    among(side.effects, profile.effect) &&
    (side.privilegeAtLeast === undefined || profile.privilegeLevel >= side.privilegeAtLeast) &&
    meets(side.permissions, profile.permissions) &&
    meets(side.toolNames, profile.toolNames)
  );
}
