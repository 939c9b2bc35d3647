import { type ApplyResult, ConnectorError, type GrantSpec, type VerifyResult } from "@reeve/core/connectors";
import { z } from "zod";
import type { Api } from "./api.js";
import { directRole, grantOf, isOwner, showsCollaborators } from "./collaborators.js";
import { orMissing, placeOf, repositoryOf, userOf } from "./lookups.js";
import { isRepositoryRole, roleNamed } from "./roles.js";
import { type Account, Invitation, type Repository } from "./shapes.js";

const COLLABORATOR = "/repos/{owner}/{repo}/collaborators/{username}";
const INVITATIONS = "/repos/{owner}/{repo}/invitations";
const Invited = z.object({ id: z.int().positive() });
const OWNS = "The owner of a repository has all access to it.";

/** A grant with what it is about. Rejects with `not_found` where the repository or the user is not there. */
async function subjectOf(api: Api, { resource, principal, profileExternalId: role }: GrantSpec) {
  if (!isRepositoryRole(role)) throw new ConnectorError("invalid", "There is no such role.", { code: "profile" });
  const repository = await repositoryOf(api, resource.externalId);
  const account = await userOf(api, principal);
  const { role: current, doubt } = await directRole(api, repository, account);
  return { repository, account, role, current, doubt };
}

export async function grantRole(api: Api, spec: GrantSpec): Promise<ApplyResult> {
  const { repository, account, role, current } = await subjectOf(api, spec);
  if (isOwner(repository, account)) return { outcome: "declined", reason: OWNS };
  const grant = grantOf(repository, { account, role, source: "direct" });
  if (current === role) return { outcome: "already_applied", grant };
  return put(api, repository, account, role, current);
}

export async function changeRole(api: Api, from: GrantSpec, to: GrantSpec): Promise<ApplyResult> {
  const { repository, account, role, current } = await subjectOf(api, to);
  if (isOwner(repository, account)) return { outcome: "declined", reason: OWNS };
  if (current === role) return { outcome: "already_applied" };
  if (current !== from.profileExternalId)
    throw new ConnectorError("conflict", "The user has another role than is to be changed.", { code: "changed" });
  return put(api, repository, account, role, current);
}

async function put(
  api: Api,
  repository: Repository,
  account: Account,
  role: string,
  current: string | undefined,
): Promise<ApplyResult> {
  const place = { ...placeOf(repository), username: account.login };
  const invited = Invited.safeParse(await api.write(`PUT ${COLLABORATOR}`, { ...place, permission: role }));
  if (invited.success)
    return { outcome: "accepted", externalOpRef: [repository.id, account.id, role].join(":"), pollAfterSeconds: 300 };
  const grant = grantOf(repository, { account, role, source: "direct" });
  return { outcome: "applied", grant, ...(current === undefined ? {} : { replaced: [current] }) };
}

/** Removes a role, and an invitation to it. Another role than the one that is meant stays. */
export async function revokeRole(api: Api, spec: GrantSpec): Promise<ApplyResult> {
  const { repository, account, role, current } = await subjectOf(api, spec);
  if (isOwner(repository, account)) return { outcome: "declined", reason: OWNS };
  if (current === role) {
    await api.write(`DELETE ${COLLABORATOR}`, { ...placeOf(repository), username: account.login });
    return { outcome: "applied" };
  }
  if (current !== undefined) return { outcome: "already_applied" };
  const { invitation, doubt } = await invitationOf(api, repository, account);
  if (invitation && !isTo(invitation, role)) return { outcome: "already_applied" };
  if (invitation) await withdraw(api, repository, invitation);
  // A host may not show a collaborator to everybody, so the removal is sent all the same.
  const place = { ...placeOf(repository), username: account.login };
  const isTaken = await orMissing(api.write(`DELETE ${COLLABORATOR}`, place).then(() => true));
  const isSeenAbsent = doubt === null && (!isTaken || (await showsCollaborators(api, repository)));
  return { outcome: !invitation && isSeenAbsent ? "already_applied" : "applied" };
}

const withdraw = (api: Api, repository: Repository, { id }: z.output<typeof Invitation>) =>
  api.write(`DELETE ${INVITATIONS}/{invitation_id}`, { ...placeOf(repository), invitation_id: id });

/** Servers without invitations have no such address. */
async function invitationOf(api: Api, repository: Repository, { id }: Account) {
  const invitations = await orMissing(api.all(`GET ${INVITATIONS}`, placeOf(repository), Invitation));
  const invitation = invitations?.items.find(({ invitee }) => invitee?.id === id);
  return { invitation, doubt: invitations?.doubt ?? null };
}

/** Whether an invitation is to a role, as far as the server says to which it is. */
const isTo = ({ permissions }: z.output<typeof Invitation>, role: string): boolean =>
  permissions === undefined || roleNamed(permissions) === role;

export async function verifyRole(api: Api, spec: GrantSpec): Promise<VerifyResult> {
  const { repository, account, role, current, doubt } = await subjectOf(api, spec);
  if (current === undefined) {
    // Whoever is invited can come in without anybody else.
    const invited = await invitationOf(api, repository, account);
    if (invited.invitation) return { presence: "mismatch", authoritative: true };
    // A list that is not whole does not say that somebody is not in it.
    return { presence: doubt === null && invited.doubt === null ? "absent" : "unknown", authoritative: true };
  }
  const observed = grantOf(repository, { account, role: current, source: "direct" });
  return { presence: current === role ? "present" : "mismatch", observed, authoritative: true };
}

/** What became of an invitation. One that is neither open nor accepted was declined, has ended, or is to another role. */
export async function pollInvitation(api: Api, externalOpRef: string): Promise<ApplyResult> {
  const [resource = "", principal = "", role = ""] = externalOpRef.split(":");
  const repository = await repositoryOf(api, resource);
  const account = await userOf(api, { type: "user", externalId: principal });
  const held = await directRole(api, repository, account);
  if (held.role === role) return { outcome: "applied" };
  const { invitation, doubt } = await invitationOf(api, repository, account);
  const isOpen = invitation ? isTo(invitation, role) : doubt !== null || held.doubt !== null;
  if (isOpen) return { outcome: "accepted", externalOpRef, pollAfterSeconds: 3_600 };
  return { outcome: "declined", reason: "The invitation was declined, or has ended." };
}
