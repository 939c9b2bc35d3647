import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import { MEMBER } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { grantOf } from "./grants.js";
import type { Provider } from "./manifest.js";
import { adding, apiOf, expectPrincipal, membersOf, patchMember, removing } from "./provider.js";

/** Whether the principal is a member now, as the provider itself says. */
export async function verifyMember(ctx: Provider, spec: GrantSpec): Promise<VerifyResult> {
  checkSpec(spec);
  const found = await memberOf(ctx, await apiOf(ctx), spec);
  if (!found) return { presence: "absent", authoritative: true };
  return { presence: "present", observed: grantOf(spec.resource.externalId, found), authoritative: true };
}

/** Adds one member. */
export async function addMember(ctx: Provider, spec: GrantSpec): Promise<ApplyResult> {
  checkSpec(spec);
  const api = await apiOf(ctx);
  const { externalId: groupId } = spec.resource;
  const before = await memberOf(ctx, api, spec);
  if (before) return { outcome: "already_applied", grant: grantOf(groupId, before) };
  await expectPrincipal(ctx, api, spec.principal);
  await patchMember(ctx, api, groupId, adding(spec.principal.externalId));
  const after = await memberOf(ctx, api, spec);
  if (!after) throw unconfirmed("The target took the new member and does not show it.");
  return { outcome: "applied", grant: grantOf(groupId, after) };
}

/** Removes one member. */
export async function removeMember(ctx: Provider, spec: GrantSpec): Promise<ApplyResult> {
  checkSpec(spec);
  const api = await apiOf(ctx);
  if (!(await memberOf(ctx, api, spec))) return { outcome: "already_applied" };
  await patchMember(ctx, api, spec.resource.externalId, removing(spec.principal.externalId));
  if (await memberOf(ctx, api, spec)) throw unconfirmed("The target took the removal and still shows the member.");
  return { outcome: "applied" };
}

const unconfirmed = (message: string) => new ConnectorError("outcome_unknown", message, { code: "unconfirmed" });

async function memberOf(ctx: Provider, api: JsonApi, { resource, principal }: GrantSpec) {
  const members = await membersOf(ctx, api, resource.externalId);
  return members.find(({ value }) => value === principal.externalId);
}

function checkSpec({ resource, profileExternalId, principal }: GrantSpec): void {
  if (resource.type !== "group" || profileExternalId !== MEMBER)
    throw new ConnectorError("invalid", "Only membership of groups is granted.", { code: "unknown_profile" });
  if (principal.type !== "user" && principal.type !== "group")
    throw new ConnectorError("invalid", "Only users and groups are members.", { code: "unknown_principal" });
}
