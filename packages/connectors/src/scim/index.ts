import { type Connector, defineConnector } from "@reeve/core/connectors";
import type { FilterOptions } from "../asked-attributes.js";
import { profilesOf } from "../group-members.js";
import { listMembers } from "./grants.js";
import { discoverIdentities, listGroups } from "./groups.js";
import { configuration, GROUP, manifest, secrets } from "./manifest.js";
import { addMember, removeMember, verifyMember } from "./membership.js";
import { findPrincipal } from "./principals.js";
import { testProvider } from "./test-connection.js";

export type { FilterOptions };

/** Users and groups of any SCIM 2.0 provider (RFC 7644), with membership of groups as access. */
export function scim(options: FilterOptions = {}): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection: (ctx) => testProvider(ctx, options),
    discoverAssets: (ctx, page) => discoverIdentities(ctx, page, options),
    listResources: listGroups,
    listAccessProfiles: profilesOf(GROUP),
    listGrants: listMembers,
    grant: addMember,
    revoke: removeMember,
    verify: verifyMember,
    findPrincipal,
  });
}
