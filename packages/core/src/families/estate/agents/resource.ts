import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { recordKinds } from "../records/declare/kinds.js";
import { followRecords } from "../records/follow/links.js";
import { agentOperations } from "./operations.js";
import { agentKind } from "./record-kind.js";
import { agents } from "./schema.js";

/** Agents, and the identities they run as. */
export const agentsResource = defineResource({
  collections: [agents],
  operations: [
    agentOperations.list,
    agentOperations.create,
    agentOperations.read,
    agentOperations.replace,
    agentOperations.remove,
  ],
  permissions: {
    "ai-agent:read": { lets: "See AI agents", heldBy: [...READERS, "member"] },
    "ai-agent:write": { lets: "Register and change AI agents", heldBy: ["operator", "member"] },
    "ai-agent:delete": { lets: "Delete AI agents and their assets", heldBy: ["operator"] },
  },
  follows: [followRecords(agentKind)],
  extends: [extend(recordKinds, agentKind)],
});
