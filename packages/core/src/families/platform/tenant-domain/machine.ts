import { defineMachine } from "#kernel/operation/guard.js";

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
