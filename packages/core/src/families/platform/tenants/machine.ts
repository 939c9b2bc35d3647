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
