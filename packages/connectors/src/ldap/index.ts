import { type Connector, defineConnector } from "@reeve/core/connectors";
import type { FilterOptions } from "../asked-attributes.js";
import { profilesOf } from "../group-members.js";
import { grant, revoke, verify } from "./changes.js";
import { listCredentials } from "./credentials.js";
import { discoverIdentities } from "./discover.js";
import { listGrants } from "./grants.js";
import { listResources } from "./groups.js";
import { configuration, GROUP, manifest, secrets } from "./manifest.js";
import { findPrincipal } from "./principals.js";
import { testConnection } from "./test-connection.js";

export type { FilterOptions };

/** Reads and changes who is in the groups of an LDAP directory. */
export function ldap(options: FilterOptions = {}): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection: (ctx) => testConnection(ctx, options),
    discoverAssets: (ctx, page) => discoverIdentities(ctx, page, options),
    listResources,
    listAccessProfiles: profilesOf(GROUP),
    listGrants,
    listCredentials,
    grant,
    revoke,
    verify,
    findPrincipal,
  });
}
