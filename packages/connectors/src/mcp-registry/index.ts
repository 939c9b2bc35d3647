import { type Connector, defineConnector } from "@reeve/core/connectors";
import { configuration, manifest, secrets } from "./manifest.js";
import { discoverServers, testRegistry } from "./servers.js";

/** Finds the MCP servers of any registry that has the published interface, at `GET <baseUrl>/v0.1/servers`. */
export function mcpRegistry(): Connector {
  return defineConnector({
    manifest,
    configuration,
    secrets,
    testConnection: testRegistry,
    discoverAssets: discoverServers,
  });
}
