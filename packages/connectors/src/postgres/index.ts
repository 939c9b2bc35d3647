import { type Connector, defineConnector } from "@reeve/core/connectors";
import { grant, modify, revoke } from "./changes.js";
import { discoverIdentities } from "./discover.js";
import { endSessions } from "./end-sessions.js";
import { listGrants, verify } from "./grants.js";
import { configuration, manifest, secrets } from "./manifest.js";
import { findPrincipal } from "./principals.js";
import { listProfiles } from "./profiles.js";
import { listResources } from "./resources.js";
import { testConnection } from "./test-connection.js";

/** Reads and changes who may use one database of a PostgreSQL server, its schemas and tables, and who is in its roles. */
export function postgres(): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection,
    discoverAssets: discoverIdentities,
    listResources,
    listAccessProfiles: listProfiles,
    listGrants,
    grant,
    revoke,
    modify,
    verify,
    findPrincipal,
    endSessions,
  });
}
