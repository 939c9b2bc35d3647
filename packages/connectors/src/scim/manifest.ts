import type { ConnectorContext, Manifest } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret, Words } from "../fields.js";
import { groupType } from "../group-members.js";

export const configuration = z.object({
  baseUrl: BaseUrl.meta({
    description: "Address of the SCIM 2.0 provider, up to and without `/Users`.",
    examples: ["https://id.example.com/scim/v2"],
  }),
  username: z
    .string()
    .regex(/^[\x21-\x39\x3b-\x7e]{1,200}$/, "Visible ASCII characters without spaces and colons.")
    .optional()
    .meta({ description: "For HTTP Basic: `token` is then its password. A bearer token is sent when absent." }),
  identityFilter: Words(1_000)
    .optional()
    .meta({
      description:
        "SCIM filter of the users that are agents or service accounts, by attributes that a listing shows. Nothing is discovered when absent.",
      examples: ['userType eq "Service"'],
    }),
});

export const secrets = z.object({
  token: HeaderSecret.meta({ description: "Bearer token, or the password of `username`." }),
});

export type Provider = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const GROUP = groupType(["user", "group"]);

const READ = "Read of users and groups";
const WRITE = "Change of groups (PATCH)";

export const manifest: Manifest = {
  providerKey: "scim",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "SCIM 2.0 provider",
  category: "directory",
  description: "Reads users and groups of any SCIM 2.0 provider, and adds and removes single members.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc7644",
  capabilities: ["test", "discover", "resources", "profiles", "observe", "grant", "revoke", "verify", "principals"],
  resourceTypes: [GROUP],
  requiredPermissions: [
    { capability: "test", permission: READ, why: "A test reads the provider's configuration and one group." },
    { capability: "discover", permission: READ, why: "It lists the users that the filter names." },
    { capability: "resources", permission: READ, why: "It lists the groups." },
    { capability: "observe", permission: READ, why: "It lists the members of groups." },
    { capability: "verify", permission: READ, why: "It reads the members of one group." },
    { capability: "principals", permission: READ, why: "It looks for one user or group by its name." },
    { capability: "grant", permission: WRITE, why: "It adds one member." },
    { capability: "revoke", permission: WRITE, why: "It removes one member." },
  ],
  limitations: [
    "A group's members come in one answer: a group with more than 8 MiB of members is not read.",
    "Providers without PATCH, or that understand no filter in the path of one, are read only.",
    "SCIM has no pages by cursor: a listing during which the number of items changes counts as incomplete.",
    "Membership has no end of its own; the control plane ends it.",
    "SCIM does not say which users are no people, so discovery needs `identityFilter`.",
    "identityFilter may ask for what listings show: id, userName, displayName, userType, active and groups. A host adds others by `scim({ filterAttributes })`; whoever may write a connection learns by filters what they hold.",
  ],
  limits: { concurrency: 2, callSeconds: 30 },
  expiry: "managed",
};
