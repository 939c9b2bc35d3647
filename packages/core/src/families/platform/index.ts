export { visibilityOf, visibleTo } from "./capabilities/capability-visibility.js";
export { CAPABILITIES, type Capability, LIMITS, type LimitKey } from "./capabilities/fields.js";
export {
  capabilityEntitlement,
  ENTITLEMENTS,
  Entitlement,
  type EntitlementKind,
  entitlements,
  isInForce,
} from "./entitlements/schema.js";
export { platformGates, tenantOf } from "./gates/check-gates.js";
export { enterTenant } from "./gates/enter-tenant.js";
export { Health, healthOf } from "./health/operations.js";
export { killSwitchStatus } from "./kill-switches/machine.js";
export { switchOfAsset, switchOfTenant, switchReason, switchTarget } from "./kill-switches/rules.js";
export { KILL_SWITCHES, type KillSwitch, killSwitches, TARGETED_SWITCHES } from "./kill-switches/schema.js";
export { dueMarks } from "./machinery/schema.js";
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
export { claimSubdomain, outdatedHold, refuseReserved } from "./subdomains/claim-subdomain.js";
export { tenantUrl } from "./subdomains/rules.js";
export { Subdomain } from "./subdomains/schema.js";
export { tenantHosts } from "./tenant-domain/domain-hosts.js";
export { tenantNamed } from "./tenant-domain/named-hosts.js";
export { boundedSettings, boundedSettingsOf, tenantSettings, unusedAccessSetting } from "./tenant-settings/queries.js";
export { PLATFORM_TENANT, PROVIDER_SUBDOMAIN, STATE_LIFETIME } from "./tenants/fields.js";
export { tenantStatus } from "./tenants/machine.js";
export { NO_ALIAS, type Tenant, Tenant as TenantSchema, tenants } from "./tenants/schema.js";
export {
  inOrder,
  insertTenant,
  RegisteredStatus,
  type RegisteredTenant,
  type TenantErasure,
  tenantRegistry,
  updateTenant,
} from "./tenants/tenant-registry.js";
