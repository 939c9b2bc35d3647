import { outbox } from "#kernel/events/outbox.js";
import { defineArea } from "#kernel/operation/area.js";
import { dataKeys } from "#kernel/operation/vault/data-keys.js";
import { idempotencyKeys } from "#kernel/pipeline/idempotency.js";
import { dueMarks } from "./due-marks/schema.js";
import { listCapabilities } from "./entitlements/operations.js";
import { entitlements } from "./entitlements/schema.js";
import { agentsHealth, cacheHealth, monitorPing } from "./health/operations.js";
import { platformDues, runPlatformJobs } from "./jobs.js";
import { killSwitchStatus } from "./kill-switches/machine.js";
import { killSwitches } from "./kill-switches/schema.js";
import { openapiDocument, referenceAsset, referencePage } from "./reference/operations.js";
import { platformSettings } from "./settings/schema.js";
import { subdomains } from "./subdomains/schema.js";

import { patchDomain, putAlias, readTenantDomain, removeAlias } from "./tenant-domain/operations.js";
import { tenantDomainPermissions } from "./tenant-domain/permissions.js";
import { patchTenantSettings, readTenantSettings } from "./tenant-settings/operations.js";
import { tenantSettingsPermissions } from "./tenant-settings/permissions.js";
import { aliasStatus, tenantStatus } from "./tenants/machine.js";
import { tenantRegistry } from "./tenants/registry/registry.js";
import { tenants } from "./tenants/schema.js";

export { CAPABILITIES, type Capability, LIMITS, type LimitKey } from "./capabilities/fields.js";
export { visibilityOf } from "./capabilities/visibility/visibility.js";
export { dueMarks } from "./due-marks/schema.js";
export {
  capabilityEntitlement,
  ENTITLEMENTS,
  Entitlement,
  type EntitlementKind,
  entitlements,
  isInForce,
} from "./entitlements/schema.js";
export { platformGates, tenantOf } from "./gates/check/gates.js";
export { Health, healthOf } from "./health/operations.js";
export { killSwitchStatus } from "./kill-switches/machine.js";
export { switchOfAsset, switchOfTenant, switchReason, switchTarget } from "./kill-switches/rules.js";
export { KILL_SWITCHES, type KillSwitch, killSwitches, TARGETED_SWITCHES } from "./kill-switches/schema.js";
export { interfaceDescription } from "./reference/operations.js";
export {
  CUSTOM_SETTINGS,
  isCustom,
  isDeclared,
  SETTINGS,
  type SettingKey,
  settingFault,
  settingShape,
} from "./settings/fields.js";
export { settings } from "./settings/queries.js";
export { platformSettings, type StoredSetting } from "./settings/schema.js";
export { claimSubdomain, outdatedHold, refuseReserved } from "./subdomains/claim/claim.js";
export { tenantUrl } from "./subdomains/rules.js";
export { Subdomain } from "./subdomains/schema.js";
export { tenantHosts } from "./tenant-domain/hosts/hosts.js";
export { tenantNamed } from "./tenant-domain/hosts/named.js";
export { boundedSettings, tenantSettings, unusedAccessSetting } from "./tenant-settings/queries.js";
export { PLATFORM_TENANT, PROVIDER_SUBDOMAIN, STATE_LIFETIME } from "./tenants/fields.js";
export { tenantStatus } from "./tenants/machine.js";
export {
  inOrder,
  insertTenant,
  RegisteredStatus,
  type RegisteredTenant,
  type TenantErasure,
  tenantRegistry,
  updateTenant,
} from "./tenants/registry/registry.js";
export { NO_ALIAS, type Tenant, Tenant as TenantSchema, tenants } from "./tenants/schema.js";

/** Tenants, their domains and what they are licensed for, settings, kill switches, capabilities, health, the reference page. */
export const platform = defineArea({
  name: "platform",
  collections: [
    tenants,
    subdomains,
    tenantRegistry,
    entitlements,
    killSwitches,
    platformSettings,
    idempotencyKeys,
    outbox,
    dataKeys,
    dueMarks,
  ],
  machines: [tenantStatus, aliasStatus, killSwitchStatus],
  operations: [
    readTenantDomain,
    patchDomain,
    putAlias,
    removeAlias,
    readTenantSettings,
    patchTenantSettings,
    monitorPing,
    cacheHealth,
    agentsHealth,
    listCapabilities,
    openapiDocument,
    referencePage,
    referenceAsset,
  ],
  dues: platformDues,
  tick: runPlatformJobs,
  extends: [tenantDomainPermissions, tenantSettingsPermissions],
});
