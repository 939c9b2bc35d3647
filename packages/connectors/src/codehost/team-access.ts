import {
  type ApplyResult,
  ConnectorError,
  type ExternalRef,
  type GrantSpec,
  type IncompleteReason,
  type ObservedGrant,
  type VerifyResult,
} from "@reeve/core/connectors";
import type { Api } from "./api.js";
import { principalOf } from "./collaborators.js";
import { orMissing, type TeamPlace, teamOf, userOf } from "./lookups.js";
import { isTeamRole, type TeamRole } from "./roles.js";
import { Account, Membership } from "./shapes.js";

const MEMBERS = "GET /orgs/{org}/teams/{team_slug}/members";
const MEMBERSHIP = "/orgs/{org}/teams/{team_slug}/memberships/{username}";

/** Everybody in a team, by role. */
export async function membersOf(api: Api, resource: ExternalRef) {
  const place = await teamOf(api, resource);
  const grants: ObservedGrant[] = [];
  let doubt: IncompleteReason | null = null;
  for (const role of ["maintainer", "member"] as const) {
    const listed = await api.all(MEMBERS, { org: place.org, team_slug: place.team_slug, role }, Account);
    grants.push(...listed.items.map((account) => membership(place, account, role)));
    doubt ??= listed.doubt;
  }
  return { grants, doubt };
}

const membership = ({ team }: TeamPlace, account: Account, role: TeamRole): ObservedGrant => ({
  resource: { type: "team", externalId: String(team.id) },
  profileExternalId: role,
  principal: principalOf(account),
  permissions: [role],
  source: "direct",
});

/** A grant with what it is about. Rejects with `not_found` where the team or the user is not there. */
async function subjectOf(api: Api, { resource, principal, profileExternalId: role }: GrantSpec) {
  if (!isTeamRole(role)) throw new ConnectorError("invalid", "There is no such role.", { code: "profile" });
  const place = await teamOf(api, resource);
  const account = await userOf(api, principal);
  const at = { org: place.org, team_slug: place.team_slug, username: account.login };
  return { place, account, role, at, current: await orMissing(api.read(`GET ${MEMBERSHIP}`, at, Membership)) };
}

type Subject = Awaited<ReturnType<typeof subjectOf>>;

export async function grantMembership(api: Api, spec: GrantSpec): Promise<ApplyResult> {
  return joined(api, await subjectOf(api, spec));
}

export async function changeMembership(api: Api, from: GrantSpec, to: GrantSpec): Promise<ApplyResult> {
  const subject = await subjectOf(api, to);
  if (subject.current?.role !== from.profileExternalId && subject.current?.role !== subject.role)
    throw new ConnectorError("conflict", "The user has another role than is to be changed.", { code: "changed" });
  return joined(api, subject);
}

async function joined(api: Api, { place, account, role, at, current }: Subject): Promise<ApplyResult> {
  const grant = membership(place, account, role);
  if (current?.role === role) return settled(current, grant, spelled(place, account, role), "already_applied");
  const given = Membership.safeParse(await api.write(`PUT ${MEMBERSHIP}`, { ...at, role }));
  if (!given.success) throw new ConnectorError("outcome_unknown", "The code host's answer is not understood.");
  const result = settled(given.data, grant, spelled(place, account, role), "applied");
  return current && result.outcome === "applied" ? { ...result, replaced: [current.role] } : result;
}

/** Somebody from outside of the organisation is pending until the invitation is accepted. */
function settled(
  { state }: { state: "active" | "pending" },
  grant: ObservedGrant,
  externalOpRef: string,
  outcome: "already_applied" | "applied",
): ApplyResult {
  return state === "active" ? { outcome, grant } : { outcome: "accepted", externalOpRef, pollAfterSeconds: 300 };
}

const spelled = ({ team }: TeamPlace, { id }: Account, role: TeamRole) => `team:${team.id}:${id}:${role}`;

/** Removes a membership, also one that is pending. One of another role than the one that is meant stays. */
export async function revokeMembership(api: Api, spec: GrantSpec): Promise<ApplyResult> {
  const { at, role, current } = await subjectOf(api, spec);
  if (current && current.role !== role) return { outcome: "already_applied" };
  // A host says that it is not there of what it does not show, too, so the removal is sent all the same.
  const removal = api.write(`DELETE ${MEMBERSHIP}`, at).then(() => true);
  const isTaken = current ? await removal : await orMissing(removal);
  const isSeenAbsent = !current && (!isTaken || (await showsMembers(api, spec.resource)));
  return { outcome: isSeenAbsent ? "already_applied" : "applied" };
}

/** Whether the host shows the members of a team, so that those it lacks are not there. */
async function showsMembers(api: Api, resource: ExternalRef): Promise<boolean> {
  const { grants, doubt } = await membersOf(api, resource);
  return grants.length > 0 && doubt === null;
}

export async function verifyMembership(api: Api, spec: GrantSpec): Promise<VerifyResult> {
  const { place, account, role, current } = await subjectOf(api, spec);
  if (!current) return { presence: "absent", authoritative: true };
  // Whoever is invited can come in without anybody else.
  if (current.state !== "active") return { presence: "mismatch", authoritative: true };
  const observed = membership(place, account, current.role);
  return { presence: current.role === role ? "present" : "mismatch", observed, authoritative: true };
}

export async function pollMembership(api: Api, externalOpRef: string): Promise<ApplyResult> {
  const [, team = "", user = "", role = ""] = externalOpRef.split(":");
  const { current } = await subjectOf(api, {
    grantKey: externalOpRef,
    resource: { type: "team", externalId: team },
    principal: { type: "user", externalId: user },
    profileExternalId: role,
    parameters: {},
  });
  if (current?.state === "active") return { outcome: "applied" };
  if (current) return { outcome: "accepted", externalOpRef, pollAfterSeconds: 3_600 };
  return { outcome: "declined", reason: "The invitation was declined, or has ended." };
}
