import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { holdingOf } from "../../assignments/rules.js";
import { accessAssignments } from "../../assignments/schema.js";
import type { AccessSide } from "../../policies/fields.js";
import { type AccessProfile, accessProfiles } from "../../profiles/schema.js";
import { openGrants } from "../schema.js";

const MOST = 200;
const CHUNK = 1_000;

/** Access that an asset has, or that it is asked for. */
export interface Holding {
  readonly assetId: string;
  readonly identityId: string;
  readonly resourceId: string;
  readonly profile: AccessProfile;
  /** The assignment or the request that it is of. */
  readonly of: string;
}

/** The access of some assets: all that they hold, and all that open requests ask for. `except` is left out. */
export async function holdingsOf(
  ctx: ReadContext,
  assetIds: readonly string[],
  except: ReadonlySet<string>,
): Promise<{ readonly held: ReadonlyMap<string, readonly Holding[]>; readonly cut: boolean }> {
  const [live, open] = [
    await ctx.db.findTopPerKey(accessAssignments, { field: "liveFor", values: assetIds, size: MOST }),
    await ctx.db.findTopPerKey(openGrants, { field: "assetId", values: assetIds, size: MOST }),
  ];
  const all = [
    ...[...live.values()].flat().map((row) => ({ ...ctx.derived(accessAssignments, row), of: row.id, held: true })),
    ...[...open.values()].flat().map(({ value }) => ({ ...value, of: value.requestId, held: false })),
  ].filter((one) => !except.has(one.of) && (!one.held || holdingOf(one as never) !== null));
  const profiles = await profilesOf(ctx, [...new Set(all.map(({ accessProfileId }) => accessProfileId))]);
  const held = new Map<string, Holding[]>();
  for (const { assetId, identityId, resourceId, accessProfileId, of } of all) {
    const profile = profiles.get(accessProfileId);
    if (profile) held.set(assetId, [...(held.get(assetId) ?? []), { assetId, identityId, resourceId, profile, of }]);
  }
  const cut = [...live.values(), ...open.values()].some((rows) => rows.length === MOST);
  return { held, cut };
}

/** Profiles by their ids, in as few queries as they take. */
export async function profilesOf(ctx: ReadContext, ids: readonly string[]): Promise<Map<string, AccessProfile>> {
  const found = new Map<string, AccessProfile>();
  for (let at = 0; at < ids.length; at += CHUNK)
    for (const { id, value } of await ctx.db.getMany(accessProfiles, ids.slice(at, at + CHUNK))) found.set(id, value);
  return found;
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
