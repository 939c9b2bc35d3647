import { defineFamily } from "../../kernel/family.js";
import { createConfig, listConfig, resetConfig, updateConfig } from "./config.js";
import { listEntitlements, setEntitlement } from "./entitlements.js";
import { listKillSwitches, setKillSwitch } from "./kill-switches.js";
import { readMe } from "./me.js";
import { runSql } from "./sql/operations.js";
import { listOrgs, listTenants, readOrg, setTenantStatus } from "./tenants.js";
import { listOrgUsers, resetUserPassword, setSupportedUserStatus } from "./users.js";

/** What the provider's people do for and to tenants. It has no records of its own. */
export const support = defineFamily({
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
});
