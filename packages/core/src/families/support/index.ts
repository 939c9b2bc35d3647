import { defineArea } from "#kernel/operation/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { supportPermissions } from "./actions/permissions.js";
import { createConfig, listConfig, resetConfig, updateConfig } from "./config/operations.js";
import { listEntitlements, setEntitlement } from "./entitlements/operations.js";
import { supportEvents } from "./events.js";
import { listKillSwitches, setKillSwitch } from "./kill-switches/operations.js";
import { readMe } from "./me/operations.js";
import { runSql } from "./sql/operations.js";
import { eraseClosedTenants, erasureDues } from "./tenants/jobs.js";
import { listOrgs, listTenants, readOrg, setTenantStatus } from "./tenants/operations.js";
import { listOrgUsers, resetUserPassword, setSupportedUserStatus } from "./users/operations.js";

/** Operations of the provider's people on tenants. This area has no records of its own. */
export const support = defineArea({
  name: "support",
  collections: [],
  machines: [],
  operations: [
    listConfig,
    createConfig,
    updateConfig,
    resetConfig,
    listKillSwitches,
    setKillSwitch,
    readMe,
    listOrgs,
    readOrg,
    listOrgUsers,
    listTenants,
    setTenantStatus,
    listEntitlements,
    setEntitlement,
    setSupportedUserStatus,
    resetUserPassword,
    runSql,
  ],
  dues: erasureDues,
  tick: eraseClosedTenants,
  extends: [supportEvents, supportPermissions, defineEventReaders({ setting: ["support:read"] })],
});
