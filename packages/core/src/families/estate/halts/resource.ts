import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { tenantStops } from "../assets/containment/stops.js";
import { liftCriticalHalt } from "./lift-halt.js";
import { haltStatus } from "./machine.js";
import { createHalt, liftHaltRequest, listHalts, readHalt } from "./operations.js";
import { haltStops } from "./queries.js";
import { halts } from "./schema.js";
import { keepHalted, keepHaltedRelations, keepHaltedTools } from "./start/follow.js";

/** Halts of agents, teams and MCP servers. */
export const haltsResource = defineResource({
  collections: [halts],
  machines: [haltStatus],
  operations: [listHalts, createHalt, readHalt, liftHaltRequest],
  permissions: {
    "ai-halt:read": { lets: "See halts", heldBy: [...READERS, "member"] },
    "ai-halt:start": {
      lets: "Halt all agents, those of a team, or an MCP server",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
    "ai-halt:lift": { lets: "Lift halts", heldBy: ["governance_officer"], peopleOnly: true },
  },
  fourEyes: [liftCriticalHalt],
  follows: [keepHalted, keepHaltedRelations, keepHaltedTools],
  extends: [extend(tenantStops, haltStops)],
});
