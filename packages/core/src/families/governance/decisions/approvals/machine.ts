import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a request for approval of one action. */
export const decisionApprovalStatus = defineMachine<unknown>()({
  name: "decisionApprovalStatus",
  field: "status",
  eventType: "decision_approval.status.changed",
  states: {
    requested: "Waits for somebody to decide.",
    approved: "The action may be done once, or as often as was given.",
    rejected: "The action may not be done.",
    expired: "Nobody decided, or nobody did it, in time.",
    used: "The action was allowed by it, as often as was given.",
    withdrawn: "It was approved, and is good for nothing any more.",
    cancelled: "Whoever asked wants it no longer.",
  },
  initial: ["requested"],
  guards: {},
  transitions: [
    { event: "approve", from: ["requested"], to: "approved", permission: "ai-approval:decide", fourEyes: true },
    {
      event: "reject",
      from: ["requested"],
      to: "rejected",
      permission: "ai-approval:decide",
      needsReason: true,
      byPeople: true,
    },
    {
      event: "withdraw",
      from: ["approved"],
      to: "withdrawn",
      permission: "ai-approval:decide",
      byPeople: true,
      stops: true,
    },
    { event: "cancel", from: ["requested"], to: "cancelled", permission: "ai-decision:evaluate" },
    { event: "use", from: ["approved"], to: "used", automatic: true },
    { event: "expire", from: ["requested", "approved"], to: "expired", automatic: true },
  ],
});
