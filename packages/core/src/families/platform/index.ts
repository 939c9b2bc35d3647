import { defineFamily } from "../../kernel/family.js";
import { idempotencyKeys } from "../../kernel/idempotency.js";
import { outbox } from "../../kernel/outbox.js";
import { dataKeys } from "../../kernel/vault/data-keys.js";
import { entitlements } from "./entitlements/schema.js";
import { agentsHealth, cacheHealth, monitorPing } from "./health/operations.js";
import { killSwitches } from "./kill-switches/schema.js";
import { openapiDocument, referenceAsset, referencePage } from "./reference/operations.js";
import { tenantStatus } from "./tenants/machine.js";
import { tenants } from "./tenants/schema.js";
import { dropExpiredAnswers } from "./upkeep.js";

export { capabilityEntitlement, entitlements } from "./entitlements/schema.js";
export { platformGates, STATE_LIFETIME } from "./gates.js";
export { Health, healthOf } from "./health/operations.js";
export { KILL_SWITCHES, killSwitches } from "./kill-switches/schema.js";
export { interfaceDescription } from "./reference/operations.js";
export { PLATFORM_TENANT, type Tenant, tenants } from "./tenants/schema.js";

/** Tenants and what they are licensed for, kill switches, health, the reference page. */
export const platform = defineFamily({
  name: "platform",
  collections: [tenants, entitlements, killSwitches, idempotencyKeys, outbox, dataKeys],
  machines: [tenantStatus],
  operations: [monitorPing, cacheHealth, agentsHealth, openapiDocument, referencePage, referenceAsset],
  tick: dropExpiredAnswers,
});
