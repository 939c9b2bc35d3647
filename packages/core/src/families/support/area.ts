import { defineArea } from "#families/area.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { actionsResource } from "./actions/resource.js";
import { configResource } from "./config/resource.js";
import { entitlementsResource } from "./entitlements/resource.js";
import { supportEvents } from "./events.js";
import { killSwitchesResource } from "./kill-switches/resource.js";
import { meResource } from "./me/resource.js";
import { sqlResource } from "./sql/resource.js";
import { erasureDues } from "./tenants/jobs.js";
import { tenantsResource } from "./tenants/resource.js";
import { usersResource } from "./users/resource.js";

/** Operations of the provider's people on tenants. This area has no records of its own. */
export const support = defineArea({
  name: "support",
  resources: [
    configResource,
    killSwitchesResource,
    meResource,
    tenantsResource,
    usersResource,
    entitlementsResource,
    sqlResource,
    actionsResource,
  ],
  dues: erasureDues,
  events: supportEvents,
  extends: [defineEventReaders({ setting: ["support:read"] })],
});
