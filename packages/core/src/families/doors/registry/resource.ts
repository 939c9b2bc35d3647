import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { registryDues, runRegistryJobs } from "./jobs.js";
import { createKey, listKeys, readKey, revokeOneKey, rotateOneKey } from "./keys/operations.js";
import { registryKeyStatus } from "./machine.js";
import {
  listServers,
  listServersByKey,
  listServerVersions,
  listServerVersionsByKey,
  readServerVersion,
  readServerVersionByKey,
} from "./operations.js";
import { registryKeyHashes, registryKeys } from "./schema.js";

/** The tenant's own MCP registry, and the keys in its address. */
export const registryResource = defineResource({
  collections: [registryKeys, registryKeyHashes],
  machines: [registryKeyStatus],
  operations: [
    listServers,
    listServerVersions,
    readServerVersion,
    listServersByKey,
    listServerVersionsByKey,
    readServerVersionByKey,
    listKeys,
    createKey,
    readKey,
    rotateOneKey,
    revokeOneKey,
  ],
  permissions: {
    "registry-key:read": {
      lets: "See keys of the tenant's MCP registry, without the keys themselves",
      heldBy: READERS,
    },
    "registry-key:write": {
      lets: "Make, replace and revoke keys of the tenant's MCP registry",
      heldBy: [],
      peopleOnly: true,
    },
  },
  dues: registryDues,
  tick: runRegistryJobs,
});
