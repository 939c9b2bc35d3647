import { defineMachine } from "../../../kernel/operation/guard.js";

/** The states of a tenant: it can be suspended and resumed, or closed for good. */
export const tenantStatus = defineMachine<unknown>()({
  name: "tenantStatus",
  field: "status",
  eventType: "tenant.status.changed",
  states: {
    active: "Works normally.",
    suspended: "Every request of its users and clients is refused until it is reactivated.",
    closed: "Has left for good.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    {
      event: "suspend",
      from: ["active"],
      to: "suspended",
      needsReason: true,
      permission: "support:tenants",
      warns: true,
    },
    { event: "reactivate", from: ["suspended"], to: "active", needsReason: true, permission: "support:tenants" },
    {
      event: "close",
      from: ["active", "suspended"],
      to: "closed",
      needsReason: true,
      permission: "support:tenants",
      warns: true,
    },
  ],
});
