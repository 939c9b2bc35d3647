import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import { MEMBER } from "../group-members.js";
import { callApi, type JsonApi } from "../json-api.js";
import { grantOf } from "./grants.js";
import type { Organisation } from "./manifest.js";
import { apiOf, type Group, groupOf, isChangeable, membershipOf } from "./organisation.js";

/** Whether the user is a member now, as Okta itself says. */
export async function verifyMember(ctx: Organisation, spec: GrantSpec): Promise<VerifyResult> {
  const { group, present, showsOthers } = await look(ctx, await apiOf(ctx), spec);
  if (!present) return { presence: "absent", authoritative: showsOthers };
  return { presence: "present", observed: grantOf(group, spec.principal.externalId), authoritative: true };
}

/** Adds one member. Where Okta takes it and shows no groups of the user, it has added it all the same. */
export async function addMember(ctx: Organisation, spec: GrantSpec): Promise<ApplyResult> {
  const api = await apiOf(ctx);
  const { group, present } = await look(ctx, api, spec);
  const { externalId: userId } = spec.principal;
  if (present) return { outcome: "already_applied", grant: grantOf(group, userId) };
  if (!isChangeable(group)) return { outcome: "declined", reason: FILLED };
  await change(ctx, api, "PUT", spec);
  const after = await membershipOf(ctx, api, group.id, userId);
  if (!after.present && after.showsOthers) throw unconfirmed("shows only other groups of the user");
  return { outcome: "applied", ...(after.present ? { grant: grantOf(group, userId) } : {}) };
}

/** Removes one member, also one that Okta does not show. */
export async function removeMember(ctx: Organisation, spec: GrantSpec): Promise<ApplyResult> {
  const api = await apiOf(ctx);
  const { group, present, showsOthers } = await look(ctx, api, spec);
  const isSeenAbsent = !present && showsOthers;
  if (!isChangeable(group))
    return isSeenAbsent ? { outcome: "already_applied" } : { outcome: "declined", reason: FILLED };
  await change(ctx, api, "DELETE", spec);
  if ((await membershipOf(ctx, api, group.id, spec.principal.externalId)).present)
    throw unconfirmed("still shows the member");
  return { outcome: isSeenAbsent ? "already_applied" : "applied" };
}

const FILLED = "Only groups of the type OKTA_GROUP are changed: an application or Okta itself fills others.";

const unconfirmed = (what: string) =>
  new ConnectorError("outcome_unknown", `The target took the change and ${what}.`, { code: "unconfirmed" });

async function look(ctx: Organisation, api: JsonApi, { resource, profileExternalId, principal }: GrantSpec) {
  if (resource.type !== "group" || profileExternalId !== MEMBER || principal.type !== "user")
    throw new ConnectorError("invalid", "Only membership of users in groups is granted.", { code: "unknown_grant" });
  const group: Group = await groupOf(ctx, api, resource.externalId);
  return { group, ...(await membershipOf(ctx, api, group.id, principal.externalId)) };
}

async function change(ctx: Organisation, api: JsonApi, method: "PUT" | "DELETE", spec: GrantSpec): Promise<void> {
  const path = ["api", "v1", "groups", spec.resource.externalId, "users", spec.principal.externalId];
  const response = await callApi(ctx, api, { what: "Changing the group", path, method });
  await response.body?.cancel();
}
