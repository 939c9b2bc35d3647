import { defineEvents } from "../events.js";

export const supportEvents = defineEvents({
  "support.sql_run":
    "The provider asked a question in SQL. `data` holds the reason, the SHA-256 of the statement, the number of rows and the " +
    "milliseconds, and the code of the error when there was no answer; never the statement.",
  "support.acted":
    "In the provider's own tenant: one of its people did something to the platform or to a tenant. `data` holds `operation`, `tenantId`, `reason`, `from`, `to` and `metadata`.",
  "tenant.entitlement_changed":
    "The provider granted or revoked a capability, limit or feature. `data` holds `kind`, `key`, `from`, `to` and `reason`.",
  "tenant.kill_switch_moved":
    "The provider engaged or released the switch of this tenant or of one of its assets. `data` holds `key`, `status` and `reason`.",
});
