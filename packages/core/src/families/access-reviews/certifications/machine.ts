import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a certification campaign. */
export const certificationStatus = defineMachine<{ readonly status: string }>()({
  name: "accessCertificationStatus",
  field: "status",
  eventType: "access.certification.status.changed",
  states: {
    preparing: "What is to be reviewed is gathered, at most a day before it starts.",
    scheduled: "It is gathered. It waits for its start, or for newer data.",
    active: "Reviewers decide.",
    closing: "Nobody decides any more. What nobody has decided is settled.",
    awaiting_confirmation: "More would be revoked than is plausible, or silence would revoke. Somebody confirms it.",
    remediating: "What was decided is carried out.",
    completed: "Everything is carried out, or is left to people. The report is final.",
    not_applicable: "There was nothing to review, so nothing is certified.",
    cancelled: "It was stopped. What had not been carried out was not.",
  },
  initial: ["preparing"],
  guards: {},
  transitions: [
    { event: "schedule", from: ["preparing"], to: "scheduled", automatic: true },
    { event: "skip", from: ["preparing"], to: "not_applicable", automatic: true },
    { event: "start", from: ["scheduled"], to: "active", automatic: true },
    {
      event: "close",
      from: ["active"],
      to: "closing",
      permission: "access-certification:write",
      needsReason: true,
    },
    { event: "hold", from: ["closing"], to: "awaiting_confirmation", automatic: true, warns: true },
    { event: "apply", from: ["closing"], to: "remediating", automatic: true },
    {
      event: "confirm",
      from: ["awaiting_confirmation"],
      to: "remediating",
      permission: "access-certification:confirm",
      needsReason: true,
      byPeople: true,
    },
    { event: "complete", from: ["remediating"], to: "completed", automatic: true },
    {
      event: "cancel",
      from: ["preparing", "scheduled", "active", "closing", "awaiting_confirmation", "remediating"],
      to: "cancelled",
      permission: "access-certification:write",
      needsReason: true,
    },
  ],
});
