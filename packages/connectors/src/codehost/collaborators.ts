import type { IncompleteReason, ObservedGrant, Principal } from "@reeve/core/connectors";
import { z } from "zod";
import type { Api } from "./api.js";
import { orMissing, placeOf } from "./lookups.js";
import { highestOf, permissionsOf, roleNamed } from "./roles.js";
import { type Account, Collaborator, type Repository } from "./shapes.js";

/** Somebody's access to a repository. */
export interface RepositoryAccess {
  readonly account: Account;
  readonly role: string;
  readonly source: "direct" | "inherited";
}

/** Everybody who has access, as far as the host tells. */
export interface Accesses {
  readonly found: readonly RepositoryAccess[];
  readonly doubt: IncompleteReason | null;
}

/** Everybody who has access. What does not come from the repository itself is inherited, from a team or organisation. */
export async function accessOf(api: Api, repository: Repository): Promise<Accesses> {
  const { items: direct, doubt } = await collaborators(api, repository, "direct");
  const ids = new Set(direct.map(({ id }) => id));
  const all = await collaborators(api, repository, "all");
  const inherited = all.items.filter(({ id }) => !ids.has(id));
  const found = [
    ...(await withRoles(api, repository, direct, "direct")),
    ...(await withRoles(api, repository, inherited, "inherited")),
  ];
  return { found, doubt: doubt ?? all.doubt };
}

/** The role that a repository itself gives to one user. */
export interface DirectRole {
  /** `undefined` where it gives none. */
  readonly role: string | undefined;
  /** Why somebody may have been left out of its list. */
  readonly doubt: IncompleteReason | null;
}

export async function directRole(api: Api, repository: Repository, { id }: Account): Promise<DirectRole> {
  const { items, doubt } = await collaborators(api, repository, "direct");
  const collaborator = items.find((one) => one.id === id);
  return { role: collaborator && (await roleOf(api, repository, collaborator)), doubt };
}

/** Whether the host shows anybody at a repository, so that those it lacks are not there. */
export async function showsCollaborators(api: Api, repository: Repository): Promise<boolean> {
  const { items, doubt } = await collaborators(api, repository, "direct");
  return items.length > 0 && doubt === null;
}

export function grantOf(repository: Repository, { account, role, source }: RepositoryAccess): ObservedGrant {
  return {
    resource: { type: "repository", externalId: String(repository.id) },
    profileExternalId: role,
    principal: principalOf(account),
    permissions: permissionsOf(role),
    source,
    ...(isOwner(repository, account) ? { immutable: true } : {}),
  };
}

export const principalOf = ({ id, login }: Account): Principal => ({
  type: "user",
  externalId: String(id),
  displayName: login,
});

/** The owner of a repository has every right in it, whatever is granted. */
export const isOwner = ({ owner }: Repository, { id }: Account) => owner.id === id && owner.type !== "Organization";

const collaborators = (api: Api, repository: Repository, affiliation: "all" | "direct") =>
  api.all("GET /repos/{owner}/{repo}/collaborators", { ...placeOf(repository), affiliation }, Collaborator);

async function withRoles(
  api: Api,
  repository: Repository,
  accounts: readonly z.output<typeof Collaborator>[],
  source: RepositoryAccess["source"],
): Promise<readonly RepositoryAccess[]> {
  const found: RepositoryAccess[] = [];
  for (const account of accounts) {
    const role = await roleOf(api, repository, account);
    if (role) found.push({ account, role, source });
  }
  return found;
}

const Permission = z.object({ permission: z.string(), role_name: z.string().optional() });

/** Servers that list no roles are asked for each collaborator. */
async function roleOf(
  api: Api,
  repository: Repository,
  { login, role_name, permissions }: z.output<typeof Collaborator>,
): Promise<string | undefined> {
  const listed = role_name ?? (permissions && highestOf(permissions));
  if (listed) return roleNamed(listed);
  const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
  const given = await orMissing(api.read(route, { ...placeOf(repository), username: login }, Permission));
  return given && roleNamed(given.role_name ?? given.permission);
}
