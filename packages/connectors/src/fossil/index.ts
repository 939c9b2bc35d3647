import { type Connector, defineConnector } from "@reeve/core/connectors";
import { grant, listGrants, modify, revoke, verify } from "./access.js";
import { configuration, secrets } from "./configuration.js";
import { testConnection } from "./connection.js";
import { discoverAssets } from "./discover.js";
import { manifest } from "./manifest.js";
import { listAccessProfiles, listResources } from "./repositories.js";

/** Access to repositories of a Fossil server, and AI in them. */
export function fossil(): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection,
    discoverAssets,
    listResources,
    listAccessProfiles,
    listGrants,
    grant,
    revoke,
    modify,
    verify,
  });
}
