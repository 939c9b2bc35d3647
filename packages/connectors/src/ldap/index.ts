import { type Connector, defineConnector } from "@reeve/core/connectors";
import { profilesOf } from "../group-members.js";
import { grant, revoke, verify } from "./changes.js";
import { listCredentials } from "./credentials.js";
import { discoverIdentities } from "./discover.js";
import { listGrants } from "./grants.js";
import { listResources } from "./groups.js";
import { configuration, GROUP, manifest, secrets } from "./manifest.js";
import { testConnection } from "./test-connection.js";

/** Reads and changes who is in the groups of an LDAP directory. */
export function ldap(): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection,
    discoverAssets: discoverIdentities,
    listResources,
    listAccessProfiles: profilesOf(GROUP),
    listGrants,
    listCredentials,
    grant,
    revoke,
    verify,
  });
}
