import { defineResource } from "#families/resource.js";
import { auditDues, runAuditJobs } from "./jobs.js";
import { auditPositions } from "./schema.js";

/** Where the host sends the record of all tenants, as a security team reads it. */
export const auditSinksResource = defineResource({
  collections: [auditPositions],
  dues: auditDues,
  tick: runAuditJobs,
});
