import type { ObservedProfile } from "@reeve/core/connectors";

const READ = "ghjorz";
const WRITE = `${READ}cfikmnw`;

/** Bundles of capabilities, from most to least. `by` is the letter that makes somebody one of them. */
const ROLES = [
  { role: "setup", by: "s", letters: "s", privilegeLevel: 4, description: "Does everything." },
  { role: "admin", by: "a", letters: `${WRITE}a`, privilegeLevel: 4, description: "Checks in, and manages users." },
  { role: "write", by: "i", letters: WRITE, privilegeLevel: 2, description: "Clones and checks in." },
  { role: "read", by: "g", letters: READ, privilegeLevel: 1, description: "Clones and reads." },
] as const;

export type Role = (typeof ROLES)[number]["role"];

/** Capabilities that belong to a role. Others of a user are left alone. */
const MANAGED = new Set(ROLES.flatMap(({ letters }) => [...letters]));
/** Fossil keeps nobody without capabilities. This one lets a user change its own password. */
const LEAST = "p";

export const PROFILES: readonly ObservedProfile[] = ROLES.map(({ role, letters, privilegeLevel, description }) => ({
  externalId: role,
  resourceType: "repository",
  name: role,
  description,
  permissions: [...letters].sort(),
  privilegeLevel,
  exclusionGroup: "role",
  grantableTo: ["user", "service_account"],
}));

export const isRole = (text: string): text is Role => ROLES.some(({ role }) => role === text);

/** The highest role that capabilities amount to. */
export const roleOf = (capabilities: string): Role | undefined =>
  ROLES.find(({ by }) => capabilities.includes(by))?.role;

/** Capabilities with this role in place of any other; with none when it is absent. */
export function withRole(capabilities: string, role?: Role): string {
  const kept = [...capabilities].filter((letter) => !MANAGED.has(letter));
  const given = ROLES.find((one) => one.role === role)?.letters ?? "";
  return [...new Set([...kept, ...given])].sort().join("") || LEAST;
}
