import { defineMachine } from "#kernel/operation/guard.js";

/** The states of a tenant: it can be suspended and resumed, or closed, and erased once its grace is over. */
export const tenantStatus = defineMachine<unknown>()({
  name: "tenantStatus",
  field: "status",
  eventType: "tenant.status.changed",
  states: {
    active: "Works normally.",
    suspended: "Every request of its users and clients is refused until it is reactivated.",
    closed: "Has left. It can be reopened until its data is erased.",
    erasing: "Its data is being deleted for good.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    {
      event: "suspend",
      from: ["active"],
      to: "suspended",
      stops: true,
      permission: "support:tenants",
      warns: true,
    },
    { event: "reactivate", from: ["suspended"], to: "active", needsReason: true, permission: "support:tenants" },
    {
      event: "close",
      from: ["active", "suspended"],
      to: "closed",
      stops: true,
      permission: "support:tenants",
      warns: true,
    },
    { event: "reopen", from: ["closed"], to: "suspended", needsReason: true, permission: "support:tenants" },
    { event: "erase", from: ["closed"], to: "erasing", automatic: true, warns: true },
  ],
});

/** The states of a tenant's own domain: claimed, proven by a DNS record, lost when the record is gone. */
export const aliasStatus = defineMachine<unknown>()({
  name: "aliasStatus",
  field: "aliasStatus",
  eventType: "tenant.alias_status.changed",
  states: {
    none: "The tenant has no domain of its own.",
    pending_verification: "Claimed; the record that proves it has not been seen yet.",
    active: "Proven; requests to the domain are the tenant's.",
    failed: "Not proven in time, no longer proven, or proven by another tenant first.",
  },
  initial: ["none"],
  guards: {},
  transitions: [
    { event: "claim", from: ["none", "active", "failed"], to: "pending_verification" },
    { event: "verify", from: ["pending_verification"], to: "active", automatic: true },
    { event: "expire", from: ["pending_verification"], to: "failed", automatic: true },
    { event: "lose", from: ["pending_verification", "active"], to: "failed", automatic: true },
    { event: "release", from: ["pending_verification", "active", "failed"], to: "none" },
  ],
});
