import { defineService } from "#kernel/config/environment.js";

/** Tenants of which this process knows that events may wait. */
export const tenantsBehind = defineService("notices.tenantsBehind", () => new Set<string>());
