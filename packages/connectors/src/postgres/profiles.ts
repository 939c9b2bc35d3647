import {
  ConnectorError,
  type ObservedProfile,
  type Page,
  type PageRequest,
  type PrivilegeLevel,
  type ProfileQuery,
  pageOf,
} from "@reeve/core/connectors";
import { z } from "zod";
import { GRANTABLE_TO, type Server } from "./manifest.js";
import { reading, type Session } from "./session.js";

export const TYPES = ["database", "schema", "table", "role"] as const;
export type Type = (typeof TYPES)[number];

/** A set of privileges that are granted together. Those of one type have none in common but for roles. */
export interface Profile {
  readonly externalId: string;
  readonly type: Type;
  readonly name: string;
  readonly description: string;
  readonly privileges: readonly string[];
  readonly level: PrivilegeLevel;
  readonly exclusionGroup?: string;
  /** Ownership is seen and never granted. */
  readonly owner?: true;
}

const MAINTAIN_SINCE = 170_000;
const MEMBERSHIP = { exclusionGroup: "membership" };

const profile = (
  externalId: `${Type}.${string}`,
  name: string,
  description: string,
  level: PrivilegeLevel,
  privileges: readonly string[],
  more: Pick<Profile, "exclusionGroup" | "owner"> = {},
): Profile => ({ externalId, type: externalId.split(".")[0] as Type, name, description, level, privileges, ...more });

const owner = (type: Type) =>
  profile(`${type}.owner`, "Owner", "May do everything with it, and grant it to others.", 4, ["OWNER"], {
    owner: true,
  });

const PROFILES: readonly Profile[] = [
  profile("database.connect", "Connect", "Open sessions in the database.", 1, ["CONNECT"]),
  profile("database.temporary", "Temporary tables", "Make temporary tables.", 1, ["TEMPORARY"]),
  profile("database.create", "Create schemas", "Make schemas in the database.", 3, ["CREATE"]),
  owner("database"),
  profile("schema.use", "Use", "See what is in the schema.", 1, ["USAGE"]),
  profile("schema.create", "Create", "Make tables and other objects in the schema.", 3, ["CREATE"]),
  owner("schema"),
  profile("table.read", "Read", "Read rows.", 1, ["SELECT"]),
  profile("table.write", "Write", "Add, change and delete rows. Most uses need `Read` too.", 2, [
    "INSERT",
    "UPDATE",
    "DELETE",
  ]),
  profile("table.manage", "Manage", "Empty the table, refer to it, put triggers on it, and maintain it.", 3, [
    "TRUNCATE",
    "REFERENCES",
    "TRIGGER",
    "MAINTAIN",
  ]),
  owner("table"),
  profile("role.member", "Member", "Has what the role has.", 2, ["MEMBER"], MEMBERSHIP),
  profile(
    "role.administrator",
    "Administrator",
    "Is a member, and decides who else is.",
    4,
    ["MEMBER", "ADMIN"],
    MEMBERSHIP,
  ),
];

/** The profiles that this server knows. */
export async function profilesOf(session: Session): Promise<readonly Profile[]> {
  const [{ version } = { version: 0 }] = await session.rows(
    z.object({ version: z.int() }),
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return PROFILES.map((each) => ({
    ...each,
    privileges: each.privileges.filter((name) => name !== "MAINTAIN" || version >= MAINTAIN_SINCE),
  }));
}

/** The profile of a grant. Rejects when the type has no such profile. */
export async function profileOf(session: Session, type: string, externalId: string): Promise<Profile> {
  const found = (await profilesOf(session)).find((each) => each.type === type && each.externalId === externalId);
  if (!found) throw new ConnectorError("invalid", "There is no such profile of this type of resource.");
  return found;
}

export async function listProfiles(
  ctx: Server,
  { resourceType }: ProfileQuery,
  page: PageRequest,
): Promise<Page<ObservedProfile>> {
  const profiles = await reading(ctx, profilesOf);
  const observed = profiles
    .filter(({ type }) => type === resourceType)
    .map(
      ({ externalId, type, name, description, privileges, level, exclusionGroup, owner }): ObservedProfile => ({
        externalId,
        resourceType: type,
        name,
        description,
        permissions: privileges,
        privilegeLevel: level,
        ...(exclusionGroup ? { exclusionGroup } : {}),
        grantableTo: owner ? [] : GRANTABLE_TO,
      }),
    );
  return pageOf(observed, page);
}
