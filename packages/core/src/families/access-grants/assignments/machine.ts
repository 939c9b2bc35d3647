import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an assignment. What it ends with needs the word of the target. */
export const assignmentStatus = defineMachine<{ readonly status: string }>()({
  name: "accessAssignmentStatus",
  field: "status",
  eventType: "access.assignment.status.changed",
  states: {
    pending: "It was decided, and the target has not granted it yet.",
    active: "The target has granted it.",
    revoking: "It is not in force any more, and the target has not confirmed that.",
    revoke_failed: "The target does not confirm its end. It is asked again until it does.",
    attested: "People say that the target has it no more, and the target has not confirmed that. It is asked still.",
    revoked: "It was ended, and the target has confirmed that.",
    expired: "Its time was over, and the target has confirmed its end.",
    orphaned: "Its connection was deleted without asking the target, which may have it still.",
    failed: "It could not be granted, and the target has none of it.",
  },
  initial: ["pending"],
  guards: {},
  transitions: [
    { event: "activate", from: ["pending"], to: "active", automatic: true },
    {
      event: "revoke",
      from: ["pending", "active"],
      to: "revoking",
      permission: "access-assignment:revoke",
      stops: true,
    },
    { event: "expire", from: ["pending", "active"], to: "revoking", automatic: true },
    { event: "give_up", from: ["pending"], to: "revoking", automatic: true, warns: true },
    { event: "stall", from: ["revoking"], to: "revoke_failed", automatic: true, warns: true },
    {
      event: "attest",
      from: ["revoke_failed"],
      to: "attested",
      permission: "access-assignment:attest",
      needsReason: true,
      byPeople: true,
      warns: true,
    },
    { event: "contradict", from: ["attested"], to: "revoke_failed", automatic: true, warns: true },
    { event: "confirm_revoked", from: ["revoking", "revoke_failed", "attested"], to: "revoked", automatic: true },
    { event: "confirm_expired", from: ["revoking", "revoke_failed", "attested"], to: "expired", automatic: true },
    { event: "confirm_failed", from: ["revoking", "revoke_failed", "attested"], to: "failed", automatic: true },
    {
      event: "orphan",
      from: ["pending", "active", "revoking", "revoke_failed"],
      to: "orphaned",
      automatic: true,
      warns: true,
    },
  ],
});
