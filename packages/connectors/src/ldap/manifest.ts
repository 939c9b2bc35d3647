import type { ConnectorContext, Manifest } from "@reeve/core/connectors";
import { z } from "zod";
import { groupType } from "../group-members.js";

const Dn = z.string().trim().min(3).max(1_024).regex(/=/, "A distinguished name, such as dc=example,dc=com.");

export const configuration = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .meta({ description: "Name or address of the directory server.", examples: ["ldap.example.com"] }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "Port; 636 for `ldaps` and 389 otherwise." }),
  tls: z.enum(["ldaps", "starttls", "off"]).default("ldaps").meta({
    description: "`ldaps` and `starttls` insist on a certificate for the host. `off` sends everything in plain text.",
  }),
  ca: z
    .string()
    .max(65_536)
    .optional()
    .meta({ description: "Certificates in PEM that are trusted for this server, instead of the public ones." }),
  bindDn: Dn.meta({ description: "Entry that the connector signs in as.", examples: ["cn=reeve,dc=example,dc=com"] }),
  baseDn: Dn.meta({
    description: "Entry below which people and groups are looked for.",
    examples: ["dc=example,dc=com"],
  }),
  groupBaseDn: Dn.optional().meta({ description: "Entry below which groups are looked for; `baseDn` when absent." }),
  identityFilter: z
    .string()
    .trim()
    .min(3)
    .max(1_000)
    .optional()
    .meta({
      description:
        "Filter (RFC 4515) of the entries that are agents or services, by attributes that a listing shows. Nothing is discovered when absent.",
      examples: ["(objectClass=applicationProcess)"],
    }),
  placeholderDn: Dn.optional().meta({
    description:
      "Name that takes the place of the last member of a group that may not be empty. Removing the last one is declined when absent.",
  }),
});

export const secrets = z.object({
  // An empty password would be no sign-in at all, which servers answer with success.
  password: z.string().min(1).max(1_024).meta({ description: "Password of `bindDn`." }),
});

export type Directory = ConnectorContext<z.output<typeof configuration>, z.output<typeof secrets>>;

export const GROUP = groupType(["agent", "service_account", "user", "group"]);

export const manifest: Manifest = {
  providerKey: "ldap",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "LDAP directory",
  category: "directory",
  description:
    "Groups and their members in a directory with entryUUID (RFC 4530) or nsUniqueId, such as OpenLDAP or 389 Directory Server.",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc4511",
  capabilities: [
    "test",
    "discover",
    "resources",
    "profiles",
    "observe",
    "grant",
    "revoke",
    "verify",
    "principals",
    "credentials",
  ],
  resourceTypes: [GROUP],
  requiredPermissions: [
    { capability: "discover", permission: "read and search on the entries of the filter", why: "They are listed." },
    {
      capability: "resources",
      permission: "read and search on the groups, with entryUUID or nsUniqueId",
      why: "Groups are listed.",
    },
    {
      capability: "observe",
      permission: "read on members, and on their entries",
      why: "Members are looked up by name.",
    },
    { capability: "verify", permission: "compare on members", why: "The server compares names by its own rules." },
    {
      capability: "principals",
      permission: "read and search on the entries",
      why: "An entry is looked for by its names.",
    },
    { capability: "grant", permission: "write on the members of the groups", why: "A member is added." },
    {
      capability: "credentials",
      permission: "read on userCertificate and sshPublicKey",
      why: "The certificates and SSH keys of an entry are listed.",
    },
    { capability: "revoke", permission: "write on the members of the groups", why: "A member is removed." },
  ],
  limitations: [
    "Ids are nsUniqueIds where the directory shows them (389 Directory Server), and entryUUIDs elsewhere. They stay when an entry is renamed or moved, and change when it is deleted and made again.",
    "OpenLDAP counts the entries of all pages against the size limit of the user, 500 unless set: give the user of the connector `limits … size.prtotal=unlimited size=unlimited`. A listing that meets the limit is refused, and never taken for whole. 389 Directory Server counts each page.",
    "identityFilter may name attributes of the directory's schema only. A negated attribute that the schema lacks would find no entry on OpenLDAP and every entry on 389 Directory Server.",
    "identityFilter may ask for what listings show: objectClass, cn, displayName, uid, description, manager, owner, employeeType, departmentNumber, businessCategory, ou, title, memberOf and ids. A host adds others by `ldap({ filterAttributes })`; whoever may write a connection learns by filters what they hold.",
    "Groups hold members by name. Where the directory does not change it when a member is renamed, the member is nobody until somebody does.",
    "It knows groupOfNames, groupOfUniqueNames and posixGroup. Active Directory, dynamic groups and primary groups of people are not read.",
    "Members of nested groups are inherited. What a server makes of nesting is its own matter; many make nothing of it.",
    "A group that may not be empty keeps its last member, unless a placeholder is configured.",
    "A directory does not say which entries are no people, so discovery needs `identityFilter`.",
    "Of credentials it lists certificates (userCertificate) and SSH keys (sshPublicKey). Passwords and keys kept elsewhere are not seen.",
    "Referrals to other servers are not followed, and a listing with one is not taken for whole.",
    "The directory does not tell beforehand who may change a group, so a test cannot say whether grants will work.",
    "Groups are read whole for each page: up to 20,000 groups, and 100,000 members of one.",
  ],
  limits: { callSeconds: 10 },
  expiry: "managed",
};
