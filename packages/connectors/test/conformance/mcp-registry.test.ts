import { type ConformanceTarget, connectorConformance } from "@reeve/testkit/connectors";
import { mcpRegistry } from "../../src/mcp-registry/index.js";
import { entry, startRegistry } from "../support/registry.js";

const NAMES = ["com.example/a", "com.example/b", "com.example/c", "io.acme/d", "io.acme/e"];
const entries = (title: string) => NAMES.map((name) => entry(name, { title }));
const TOKEN = "registry-token-0123456789";

async function registry(): Promise<ConformanceTarget> {
  const target = await startRegistry(entries("Server"), TOKEN);
  return {
    address: { host: "127.0.0.1", port: Number(new URL(target.url).port) },
    config: ({ host, port }) => ({ baseUrl: `http://${host}:${port}/sub` }),
    secrets: { token: TOKEN },
    wrongSecrets: { token: "another-token-9876543210" },
    reset: async () => target.list(entries("Server")),
    observe: async () => ({ assets: NAMES }),
    rename: async () => target.list(entries("Renamed")),
    close: target.close,
  };
}

connectorConformance(mcpRegistry(), registry);
