import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { dueBy } from "#kernel/operation/dues.js";
import { applyDueTimeTransitions } from "#kernel/operation/time-transitions.js";
import { instanceHealth } from "./health/machine.js";
import { instanceStreaks } from "./health/schema.js";
import { instanceStatus } from "./machine.js";
import { instances } from "./schema.js";
import { instanceSecrets } from "./secret-schema.js";

/** Connected systems: settings, secrets, health and end. */
export const instancesResource = defineResource({
  collections: [instances, instanceSecrets, instanceStreaks],
  machines: [instanceStatus, instanceHealth],
  permissions: {
    "connector:read": { lets: "See connectors and connections to systems", heldBy: [...READERS, "member"] },
    "connector:write": { lets: "Set up and change connections to systems and their credentials", heldBy: ["operator"] },
    "connector:assign": {
      lets: "Name other owners of connections to systems, and of what access is granted to there",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
    "connector:delete": { lets: "Delete connections to systems with their credentials", heldBy: ["operator"] },
    "connector:test": {
      lets: "Test settings of connections, which calls addresses that they name",
      heldBy: ["operator"],
    },
  },
  dues: [dueBy(instances, "createdAt", { where: { status: "deleting" } })],
  tick: (env, tenantId, now) => applyDueTimeTransitions(env, instances, tenantId, now),
});
