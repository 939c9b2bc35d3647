import type { OwnEvents } from "../events.js";

export const supportEvents: OwnEvents = {
  "support.sql_run":
    "The provider asked a question in SQL. `data` holds the reason, the SHA-256 of the statement, the number of rows and the " +
    "milliseconds, and the code of the error when there was no answer; never the statement.",
  "support.acted":
    "In the provider's own tenant: one of its people did something to the platform or to a tenant. `data` holds `operation`, `tenantId`, `reason`, `from`, `to` and `metadata`.",
  "tenant.erased":
    "All of a closed tenant was deleted for good: the certificate of it, in the stream of the platform and in that of the provider's own tenant. `data` holds `tenantId`, " +
    "`closedAt`, `begunAt`, `erasedAt`, `counts` of what was deleted by kind, and of its chain `lastSequence`, `headHash` and the last `checkpoint`.",
  "tenant.entitlement_changed":
    "The provider granted or revoked a capability, limit or feature. `data` holds `kind`, `key`, `from`, `to` and `reason`.",
  "tenant.kill_switch_moved":
    "The provider engaged or released the switch of this tenant or of one of its assets. `data` holds `key`, `status` and `reason`.",
};
