import { type Connector, defineConnector } from "@reeve/core/connectors";
import { findPrincipal, grant, listGrants, modify, revoke, verify } from "./access.js";
import { configuration, secrets } from "./configuration.js";
import { testConnection } from "./connection.js";
import { discoverAssets } from "./discover.js";
import { manifest } from "./manifest.js";
import { listAccessProfiles, listResources } from "./repositories.js";
import { executeTool } from "./tools/execute.js";

/** Access to repositories of a Fossil server, AI in them, and tools for agents, which run as the user of the agent. */
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
    findPrincipal,
    executeTool,
  });
}
