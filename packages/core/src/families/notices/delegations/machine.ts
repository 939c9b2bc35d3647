import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a delegation. */
export const delegationStatus = defineMachine<{ readonly status: string }>()({
  name: "delegationStatus",
  field: "status",
  eventType: "delegation.status.changed",
  states: {
    active: "The other person is told as well, of what that person may decide too.",
    ended: "It is over.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    { event: "end", from: ["active"], to: "ended" },
    { event: "run_out", from: ["active"], to: "ended", automatic: true },
  ],
});
