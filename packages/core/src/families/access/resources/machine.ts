import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a resource of a target. Only syncs move it. */
export const accessResourceStatus = defineMachine<unknown>()({
  name: "accessResourceStatus",
  field: "status",
  eventType: "access.resource.status.changed",
  states: {
    active: "The target lists it.",
    missing: "A complete listing of its type lacked it. Nobody can request access to it.",
    retired: "It was missing for a day and from two complete listings. Access to it has ended.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    { event: "lose", from: ["active"], to: "missing", automatic: true },
    { event: "restore", from: ["missing", "retired"], to: "active", automatic: true },
    { event: "retire", from: ["missing"], to: "retired", automatic: true, warns: true },
  ],
});
