import type { Manifest } from "@reeve/core/connectors";
import { TOOLS } from "./tools/specs.js";

export const manifest: Manifest = {
  providerKey: "fossil",
  interfaceVersion: 1,
  version: "1.0.0",
  displayName: "Fossil",
  category: "code",
  description: "Grants access to repositories of a Fossil server, finds AI in them, and gives agents tools for them.",
  docsUrl: "https://fossil-scm.org/home/doc/trunk/www/json-api/index.md",
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
    "tools",
  ],
  resourceTypes: [
    {
      type: "repository",
      displayName: "Repository",
      idStability: "immutable",
      profileSource: "static",
      grantableTo: ["user", "service_account"],
    },
  ],
  tools: TOOLS,
  requiredPermissions: [
    { capability: "discover", permission: "o", why: "It reads files." },
    { capability: "observe", permission: "a", why: "It lists users and what they may do." },
    { capability: "grant", permission: "s", why: "It changes what users may do, which the interface refuses to `a`." },
    { capability: "revoke", permission: "s", why: "It changes what users may do." },
    { capability: "modify", permission: "s", why: "It changes what users may do." },
    {
      capability: "tools",
      permission: "none",
      why: "It signs in as the user that an agent acts as, and not as its own.",
    },
  ],
  limitations: [
    "It creates and deletes no users: who has access ends without it, and can still sign in.",
    "Fossil keeps no user without capabilities. One who has lost all access keeps `p`, a password of its own.",
    "What everybody has through the users `nobody` and `anonymous`, or by `u` and `v`, is not listed. A test of the connection warns of repositories that are public.",
    "Fossil writes all capabilities of a user at once, so a change that somebody makes to the same user at the same moment is lost.",
    "Fossil answers nothing about a repository that is not there, so that it looks like a server that breaks off.",
    "Each repository costs a sign-in, so one instance has at most 50.",
    "Tools run as the user of the agent, so the connection holds the passwords of these users. Without one there are no tools for the agent.",
    "Fossil takes check-ins by its own protocol only, so no tool writes files. Tickets are made by its form, and a repository with a form of its own may refuse them.",
    "Fossil ends no access by itself: Reeve revokes it in time.",
  ],
  limits: { concurrency: 2, callSeconds: 60 },
  expiry: "managed",
};
