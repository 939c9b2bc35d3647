import type { ConnectorContext, Manifest } from "@reeve/core/connectors";
import { z } from "zod";
import { BaseUrl, HeaderSecret, Words } from "../fields.js";
import { groupType } from "../group-members.js";

export const configuration = z.object({
  baseUrl: BaseUrl.meta({ description: "Address of the organisation.", examples: ["https://acme.okta.com"] }),
  identitySearch: Words(1_000)
    .optional()
    .meta({
      description:
        "Okta search of the users that are agents or service accounts, by attributes that a listing shows. Nothing is discovered when absent.",
      examples: ['profile.userType eq "Service"'],
    }),
});

export const secrets = z.object({
  apiToken: HeaderSecret.meta({ description: "API token, sent as `SSWS`. It has the rights of whoever made it." }),
});

export type Organisation = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const GROUP = groupType(["user"]);

const READ = "okta.groups.read and okta.users.read (role Read-only Administrator)";
const WRITE = "okta.groups.manage (role Group Membership Administrator)";

export const manifest: Manifest = {
  providerKey: "okta",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "Okta",
  category: "identity",
  description: "Reads users and groups of an Okta organisation, and adds and removes single members of groups.",
  docsUrl: "https://developer.okta.com/docs/api/openapi/okta-management/management/tag/Group/",
  capabilities: ["test", "discover", "resources", "profiles", "observe", "grant", "revoke", "verify", "principals"],
  resourceTypes: [GROUP],
  requiredPermissions: [
    { capability: "test", permission: READ, why: "A test reads one group and the token's own user." },
    { capability: "discover", permission: READ, why: "It lists the users that the search names." },
    { capability: "resources", permission: READ, why: "It lists the groups." },
    { capability: "observe", permission: READ, why: "It lists the members of groups." },
    { capability: "verify", permission: READ, why: "It lists the groups of one user." },
    { capability: "principals", permission: READ, why: "It looks for one user or group by its name." },
    { capability: "grant", permission: WRITE, why: "It adds one member." },
    { capability: "revoke", permission: WRITE, why: "It removes one member." },
  ],
  limitations: [
    "identitySearch may ask for what a listing shows: id, status, profile.login, profile.displayName and profile.userType. A host adds others by `okta({ filterAttributes })`; whoever may write a connection learns by searches what they hold.",
    "Groups that applications or Okta itself fill are read, and their members not changed.",
    "Members whom a group rule has added cannot be told apart; Okta may add them again.",
    "Membership has no end of its own; the control plane ends it.",
    "Okta does not say which users are no people, so discovery needs `identitySearch`.",
    "It is tested against an emulator of Okta and not against Okta: the decision record 0141 names the differences.",
  ],
  limits: { concurrency: 2, callSeconds: 30, propagationSeconds: 5 },
  expiry: "managed",
};
