import type { ConnectorContext, Manifest, PrincipalType, ResourceType } from "@reeve/core/connectors";
import { z } from "zod";

export const configuration = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .meta({ description: "Name or address of the server.", examples: ["db.example.com"] }),
  port: z.int().min(1).max(65_535).default(5_432).meta({ description: "Port of the server." }),
  database: z
    .string()
    .min(1)
    .max(63)
    .meta({ description: "The one database that is governed.", examples: ["sales"] }),
  username: z.string().min(1).max(63).meta({ description: "Role that the connector signs in as." }),
  identityRoles: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        "Pattern, as of `LIKE`, of the roles that agents and services sign in as. Nothing is discovered when absent.",
      examples: ["svc\\_%"],
    }),
  tls: z.enum(["verify", "off"]).default("verify").meta({
    description: "`verify` insists on TLS and on a certificate for the host. `off` sends everything in plain text.",
  }),
  ca: z
    .string()
    .max(65_536)
    .optional()
    .meta({ description: "Certificates in PEM that are trusted for this server, instead of the public ones." }),
});

export const secrets = z.object({
  password: z.string().min(1).max(1_024).optional().meta({ description: "Password of the role." }),
});

export type Server = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

/** Roles are principals: with LOGIN a service account, otherwise a group. Agents and users are given as their role. */
export const GRANTABLE_TO: readonly PrincipalType[] = ["agent", "service_account", "user", "group"];

const resourceType = (type: string, displayName: string, parentType?: string): ResourceType => ({
  type,
  displayName,
  ...(parentType ? { parentType } : {}),
  idStability: "immutable",
  profileSource: "static",
  grantableTo: GRANTABLE_TO,
});

const TO_CHANGE = "Ownership of the object, or a grant option on it, or ADMIN OPTION on the role";

export const manifest: Manifest = {
  providerKey: "postgres",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "PostgreSQL",
  category: "data",
  description: "Roles and privileges of one database of a PostgreSQL server, version 14 or newer.",
  docsUrl: "https://www.postgresql.org/docs/current/user-manag.html",
  capabilities: [
    "test",
    "discover",
    "resources",
    "profiles",
    "observe",
    "grant",
    "revoke",
    "modify",
    "verify",
    "principals",
    "sessions",
  ],
  resourceTypes: [
    resourceType("database", "Database"),
    resourceType("schema", "Schema", "database"),
    resourceType("table", "Table or view", "schema"),
    resourceType("role", "Role"),
  ],
  requiredPermissions: [
    { capability: "test", permission: "CONNECT on the database", why: "The connector signs in to it." },
    { capability: "discover", permission: "CONNECT on the database", why: "Every role may read who may log in." },
    { capability: "observe", permission: "CONNECT on the database", why: "Every role may read the system catalogs." },
    { capability: "principals", permission: "CONNECT on the database", why: "Every role may read who is there." },
    { capability: "grant", permission: TO_CHANGE, why: "PostgreSQL lets nobody else grant." },
    { capability: "revoke", permission: TO_CHANGE, why: "Only who granted, or may act as them, revokes." },
    { capability: "modify", permission: TO_CHANGE, why: "A change revokes and grants in one transaction." },
    { capability: "sessions", permission: "Membership in pg_signal_backend", why: "It ends sessions of other roles." },
  ],
  limitations: [
    "It governs the configured database and the roles of the server. Each other database takes a connection of its own.",
    "Ids are object ids. They stay when something is renamed, and change when it is dropped and made again or restored from a dump.",
    "Superusers, and roles that bypass row security, may do more than their grants say; attributes of the role tell.",
    "Membership of predefined roles such as pg_read_all_data is shown as membership, and not on each table.",
    "Privileges on columns, sequences, functions and large objects, default privileges and row security are not read.",
    "Nothing is granted to PUBLIC, and nothing is taken from an owner.",
    "Access that others passed on is not revoked with its source: the revocation is declined until theirs is revoked.",
    "PostgreSQL does not say which roles are no people, so discovery needs `identityRoles`.",
    "PostgreSQL keeps no record of who used what, so there is no usage.",
  ],
  limits: { callSeconds: 10 },
  expiry: "managed",
};
