import {
  type AccessIdentity,
  type AccessProfile,
  type AccessResource,
  accessResources,
  type Blocker,
  blockersOf,
  requireParameters,
} from "#families/access/index.js";
import { grantKeyOf } from "#families/access-grants/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { profilesOf } from "../conflicts/holdings.js";
import type { Wanted } from "../fields.js";
import type { RequestItem } from "../schema.js";

const PERMISSIONS = 50;

/** Items with the profiles that they are of. */
export interface Itemized {
  readonly items: RequestItem[];
  readonly profiles: readonly AccessProfile[];
}

/**
 * What is asked for, with what it means now. 400 for what does not exist or does not fit, 409 for what nobody can ask
 * for at this moment.
 */
export async function itemsFor(
  ctx: ReadContext,
  identity: AccessIdentity,
  wanted: readonly Wanted[],
): Promise<Itemized> {
  const profiles = await profilesOf(ctx, [...new Set(wanted.map(({ accessProfileId }) => accessProfileId))]);
  const ids = wanted.flatMap(({ accessProfileId, resourceId }) => {
    const id = resourceId ?? profiles.get(accessProfileId)?.resourceId;
    return id ? [id] : [];
  });
  const found = ids.length > 0 ? await ctx.db.getMany(accessResources, [...new Set(ids)]) : [];
  const resources = new Map(found.map(({ id, value }) => [id, value]));
  const resolved = wanted.map((one, at) => {
    const profile = profiles.get(one.accessProfileId);
    if (!profile || profile.connectorInstanceId !== identity.connectorInstanceId)
      throw invalidProperty(
        `/items/${at}/accessProfileId`,
        "The target has no such access profile.",
        "invalid_reference",
      );
    const resource = resources.get(one.resourceId ?? profile.resourceId ?? "");
    if (!resource || resource.connectorInstanceId !== identity.connectorInstanceId)
      throw invalidProperty(`/items/${at}/resourceId`, "Name a resource of the target.", "invalid_reference");
    return { profile, resource, parameters: one.parameters ?? {} };
  });
  const { assetId, id: identityId, connectorInstanceId, principal } = identity;
  const named = resolved.map(({ profile, resource }) => ({ accessProfileId: profile.id, resourceId: resource.id }));
  const asked = { assetId, identityId, connectorInstanceId, principal, items: named };
  requireRequestable(await blockersOf(ctx, asked, "evaluate"));
  const items = resolved.map(({ profile, resource, parameters }, at) =>
    itemOf(identity, profile, resource, parameters, at),
  );
  const keys = items.map(({ grantKey }) => grantKey);
  if (new Set(keys).size < keys.length) throw invalidProperty("/items", "The same access is asked for twice.");
  return { items, profiles: [...profiles.values()] };
}

function itemOf(
  { connectorInstanceId, principal }: AccessIdentity,
  profile: AccessProfile,
  resource: AccessResource,
  parameters: RequestItem["parameters"],
  at: number,
): RequestItem {
  requireParameters(profile, parameters);
  const { resourceType, externalId } = resource;
  const grant = { connectorInstanceId, resource: { type: resourceType, externalId }, principal, parameters };
  return {
    key: String(at + 1),
    ...{ accessProfileId: profile.id, profileName: profile.name, resourceId: resource.id, resourceName: resource.name },
    parameters,
    grantKey: grantKeyOf({ ...grant, profileExternalId: profile.externalId }),
    definitionHash: profile.definitionHash,
    permissions: profile.permissions.slice(0, PERMISSIONS),
    ...{ effect: profile.effect, privilegeLevel: profile.privilegeLevel, riskLevel: profile.riskLevel },
    ...{ status: "waiting", assignmentId: null, error: null },
  };
}

/** 409 with the first blocker as its reason; 400 for a profile that does not fit. */
export function requireRequestable([first]: readonly Blocker[]): void {
  if (first?.code === "profile_unfit") throw invalidProperty(`/items/${first.item}`, first.message);
  if (first) throw notRequestable(first.message, first.code);
}

export const notRequestable = (message: string, reason?: string) =>
  new ReeveError("not_requestable", message, reason === undefined ? {} : { members: { notRequestableReason: reason } });
