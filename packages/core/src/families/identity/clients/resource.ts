import { defineResource } from "#families/resource.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { clientCredentials, machineClients } from "./schema.js";

/** OAuth clients of machines, and their credentials. The kind of its principal shows that a machine acted. */
export const clientsResource = defineResource({
  collections: [machineClients, clientCredentials],
  extends: [defineEventReaders({ client: ["ai-identity:read"] })],
});
