import type { Client } from "@modelcontextprotocol/client";
import { MCP_LIMITS, type McpProbe } from "@reeve/core";
import { CallFailed } from "./failure.js";
import { bounded, textWithin } from "./items.js";

/** The most protocol versions that a server may list. */
const VERSIONS = 50;

/** What a connected server has said about itself, within the limits. */
export function handshake(client: Client): McpProbe {
  const negotiated = client.getNegotiatedProtocolVersion() ?? "";
  const { supportedVersions = [negotiated] } = client.getDiscoverResult() ?? {};
  if (supportedVersions.length > VERSIONS) throw new CallFailed("too_many", "versions");
  const info = client.getServerVersion();
  return {
    protocol: {
      negotiated: reported(negotiated) ?? "",
      era: client.getProtocolEra() ?? "legacy",
      supportedVersions: supportedVersions.map((version) => reported(version) ?? ""),
    },
    serverInfo: info ? serverInfo(info) : null,
    instructions: textWithin(client.getInstructions(), MCP_LIMITS.description, "invalid_instructions") ?? null,
    capabilities: bounded(client.getServerCapabilities() ?? {}, "capabilities", MCP_LIMITS.description),
  };
}

function serverInfo({
  name,
  version,
  title,
}: {
  name: string;
  version: string;
  title?: string;
}): McpProbe["serverInfo"] {
  const shown = reported(title);
  return {
    name: reported(name) ?? "",
    version: reported(version) ?? "",
    ...(shown === undefined ? {} : { title: shown }),
  };
}

const reported = (value: unknown) => textWithin(value, MCP_LIMITS.name, "invalid_server_info");
