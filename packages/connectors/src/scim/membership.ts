import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import { MEMBER } from "../group-members.js";
import type { JsonApi } from "../json-api.js";
import { grantOf } from "./grants.js";
import type { Provider } from "./manifest.js";
import { adding, apiOf, expectPrincipal, type Member, membersOf, patchMember, removing } from "./provider.js";

/** Whether the principal is a member now. A provider that shows nobody in a group may show no members at all. */
export async function verifyMember(ctx: Provider, spec: GrantSpec): Promise<VerifyResult> {
  checkSpec(spec);
  const { member, showsOthers } = await look(ctx, await apiOf(ctx), spec);
  if (!member) return { presence: "absent", authoritative: showsOthers };
  return { presence: "present", observed: grantOf(spec.resource.externalId, member), authoritative: true };
}

/** Adds one member. A provider that takes it and shows nobody in the group shows no members, and has added it. */
export async function addMember(ctx: Provider, spec: GrantSpec): Promise<ApplyResult> {
  checkSpec(spec);
  const api = await apiOf(ctx);
  const { externalId: groupId } = spec.resource;
  const before = await look(ctx, api, spec);
  if (before.member) return { outcome: "already_applied", grant: grantOf(groupId, before.member) };
  await expectPrincipal(ctx, api, spec.principal);
  await patchMember(ctx, api, groupId, adding(spec.principal.externalId));
  const { member, showsOthers } = await look(ctx, api, spec);
  if (!member && showsOthers) throw unconfirmed("The target took the new member and shows only others.");
  return { outcome: "applied", ...(member ? { grant: grantOf(groupId, member) } : {}) };
}

/** Removes one member, also one that the provider does not show. */
export async function removeMember(ctx: Provider, spec: GrantSpec): Promise<ApplyResult> {
  checkSpec(spec);
  const api = await apiOf(ctx);
  const before = await look(ctx, api, spec);
  const isSeenAbsent = !before.member && before.showsOthers;
  if (!before.member && !isPlain(spec.principal.externalId)) {
    if (isSeenAbsent) return { outcome: "already_applied" };
    throw unconfirmed("The target does not show the member, whose id cannot be named to it safely.");
  }
  await patchMember(ctx, api, spec.resource.externalId, removing(spec.principal.externalId)).catch((error) => {
    if (!isSeenAbsent || !isNoTarget(error)) throw error;
  });
  if ((await look(ctx, api, spec)).member) throw unconfirmed("The target took the removal and still shows the member.");
  return { outcome: isSeenAbsent ? "already_applied" : "applied" };
}

/** What a provider answers when the path of a removal selects nobody. */
const isNoTarget = (error: unknown) => ConnectorError.is(error) && error.httpStatus === 400;

/** An id that no reading of a filter takes for more than one text. */
const isPlain = (id: string) => /^[\w.@:+-]+$/.test(id);

const unconfirmed = (message: string) => new ConnectorError("outcome_unknown", message, { code: "unconfirmed" });

interface Look {
  readonly member: Member | undefined;
  /** The group shows members, all of which can be read, so that one it lacks is none. */
  readonly showsOthers: boolean;
}

async function look(ctx: Provider, api: JsonApi, { resource, principal }: GrantSpec): Promise<Look> {
  const { members, rejected } = await membersOf(ctx, api, resource.externalId);
  const member = members.find(({ value }) => value === principal.externalId);
  return { member, showsOthers: rejected.length === 0 && members.some((one) => one !== member) };
}

function checkSpec({ resource, profileExternalId, principal }: GrantSpec): void {
  if (resource.type !== "group" || profileExternalId !== MEMBER)
    throw new ConnectorError("invalid", "Only membership of groups is granted.", { code: "unknown_profile" });
  if (principal.type !== "user" && principal.type !== "group")
    throw new ConnectorError("invalid", "Only users and groups are members.", { code: "unknown_principal" });
}
