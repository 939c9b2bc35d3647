import { type Connector, defineConnector } from "@reeve/core/connectors";
import { grant, modify, pollOperation, revoke, verify } from "./access.js";
import { configuration, secrets } from "./configuration.js";
import { testConnection } from "./connection.js";
import { discoverAssets } from "./discover.js";
import { listGrants } from "./grants.js";
import { manifest } from "./manifest.js";
import { findPrincipal } from "./principals.js";
import { listAccessProfiles, listResources } from "./resources.js";
import { executeTool } from "./tools/execute.js";

/** Access to repositories and teams, AI in repositories, and tools for agents, on GitHub and GitHub Enterprise Server. */
export function codehost(): Connector {
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
    pollOperation,
    executeTool,
  });
}
