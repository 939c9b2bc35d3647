import { defineArea } from "#families/area.js";
import { consoleResource } from "./console/resource.js";
import { entitlementsResource } from "./entitlements/resource.js";
import { healthResource } from "./health/resource.js";
import { platformDues, runPlatformJobs } from "./jobs.js";
import { killSwitchesResource } from "./kill-switches/resource.js";
import { machineryResource } from "./machinery/resource.js";
import { referenceResource } from "./reference/resource.js";
import { settingsResource } from "./settings/resource.js";
import { subdomainsResource } from "./subdomains/resource.js";
import { tenantDomainResource } from "./tenant-domain/resource.js";
import { tenantSettingsResource } from "./tenant-settings/resource.js";
import { tenantsResource } from "./tenants/resource.js";

/** Tenants, their domains and what they are licensed for, settings, kill switches, capabilities, health, the pages. */
export const platform = defineArea({
  name: "platform",
  resources: [
    tenantsResource,
    subdomainsResource,
    entitlementsResource,
    killSwitchesResource,
    settingsResource,
    machineryResource,
    tenantDomainResource,
    tenantSettingsResource,
    healthResource,
    referenceResource,
    consoleResource,
  ],
  dues: platformDues,
  tick: runPlatformJobs,
});
