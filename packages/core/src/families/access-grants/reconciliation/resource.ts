import { defineResource } from "#families/resource.js";
import { wakeParked, wakeReconciliations, wakeUnmanaged } from "./follow-reconciliation.js";
import { accessReconciliations } from "./schema.js";

/** Work that makes targets agree with assignments, one queue per grant. */
export const reconciliationResource = defineResource({
  collections: [accessReconciliations],
  follows: [wakeReconciliations, wakeParked, wakeUnmanaged],
});
