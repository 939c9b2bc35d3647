import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { recordKinds } from "../records/declare/kinds.js";
import { followRecords } from "../records/follow/links.js";
import { approveOffer } from "./drift/approve.js";
import { approveServerTools, listServerTools, readServerDrift } from "./drift/operations.js";
import { mcpServerDue, runMcpServerJobs } from "./jobs.js";
import { mcpConnection } from "./machine.js";
import { mcpServerSnapshots } from "./manifest/snapshots.js";
import { mcpServerOperations } from "./operations.js";
import { mcpServerChecks } from "./probe/checks.js";
import { probeServer, scanServer } from "./probe/operations.js";
import { mcpServerKind } from "./record/kind.js";
import { letIn } from "./record/trust.js";
import { mcpServers } from "./schema.js";
import { mcpServerSecrets } from "./server-secrets.js";
import { mcpNames } from "./warnings/names.js";

/** MCP servers: manifest, probes, drift and warnings. */
export const mcpServersResource = defineResource({
  collections: [mcpServers, mcpServerSecrets, mcpServerSnapshots, mcpServerChecks, mcpNames],
  machines: [mcpConnection],
  operations: [
    mcpServerOperations.list,
    mcpServerOperations.create,
    mcpServerOperations.read,
    mcpServerOperations.replace,
    mcpServerOperations.remove,
    probeServer,
    scanServer,
    listServerTools,
    readServerDrift,
    approveServerTools,
  ],
  permissions: {
    "mcp-server:read": { lets: "See MCP servers", heldBy: [...READERS, "member"] },
    "mcp-server:write": { lets: "Register and change MCP servers and their credentials", heldBy: ["operator"] },
    "mcp-server:delete": { lets: "Delete MCP servers and their assets", heldBy: ["operator"] },
    "mcp-server:scan": {
      lets: "Have MCP servers probed and scanned",
      heldBy: ["governance_officer", "approver", "operator"],
    },
  },
  fourEyes: [approveOffer, letIn],
  dues: [mcpServerDue],
  tick: runMcpServerJobs,
  follows: [followRecords(mcpServerKind)],
  extends: [extend(recordKinds, mcpServerKind)],
});
