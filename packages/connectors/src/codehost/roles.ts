import type { ObservedProfile, PrivilegeLevel } from "@reeve/core/connectors";

/** What somebody may do in a repository, from least to most. `wire` is how answers call it besides its own name. */
const REPOSITORY_ROLES = [
  { role: "pull", wire: "read", privilegeLevel: 1, description: "Reads and clones." },
  { role: "triage", wire: "triage", privilegeLevel: 1, description: "Reads, and manages issues and pull requests." },
  { role: "push", wire: "write", privilegeLevel: 2, description: "Reads and pushes." },
  { role: "maintain", wire: "maintain", privilegeLevel: 3, description: "Pushes, and changes some settings." },
  { role: "admin", wire: "admin", privilegeLevel: 4, description: "Does everything, deletion included." },
] as const;

const TEAM_ROLES = [
  { role: "member", privilegeLevel: 2, description: "Has the access of the team." },
  { role: "maintainer", privilegeLevel: 3, description: "Has the access of the team, and adds and removes members." },
] as const;

export type RepositoryRole = (typeof REPOSITORY_ROLES)[number]["role"];
export type TeamRole = (typeof TEAM_ROLES)[number]["role"];

const names: readonly string[] = REPOSITORY_ROLES.map(({ role }) => role);

export const isRepositoryRole = (text: string): text is RepositoryRole => names.includes(text);
export const isTeamRole = (text: string): text is TeamRole => TEAM_ROLES.some(({ role }) => role === text);

/** A role by any of its names; a role that an organisation has defined itself stays as it is. */
export const roleNamed = (text: string): string => REPOSITORY_ROLES.find(({ wire }) => wire === text)?.role ?? text;

/** The highest of the permissions that are set. */
export const highestOf = (permissions: Readonly<Record<string, boolean>>): RepositoryRole | undefined =>
  REPOSITORY_ROLES.findLast(({ role }) => permissions[role])?.role;

/** The permissions that a role includes. */
export const permissionsOf = (role: string): readonly string[] => names.slice(0, names.indexOf(role) + 1);

export const PROFILES: readonly ObservedProfile[] = [
  ...REPOSITORY_ROLES.map(({ role, privilegeLevel, description }) =>
    profile("repository", role, privilegeLevel, description),
  ),
  ...TEAM_ROLES.map(({ role, privilegeLevel, description }) => profile("team", role, privilegeLevel, description)),
];

function profile(
  resourceType: string,
  role: string,
  privilegeLevel: PrivilegeLevel,
  description: string,
): ObservedProfile {
  return {
    externalId: role,
    resourceType,
    name: role,
    description,
    permissions: resourceType === "repository" ? permissionsOf(role) : [role],
    privilegeLevel,
    exclusionGroup: "role",
    grantableTo: ["user", "service_account"],
  };
}
