import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an erasure. Two people take part: one asks, another approves. */
export const erasureStatus = defineMachine<unknown>()({
  name: "erasureStatus",
  field: "status",
  eventType: "erasure.status.changed",
  states: {
    requested: "Waits for somebody else's decision. Nothing is erased.",
    approved: "Its events are erased, 500 a call.",
    declined: "Was declined or taken back.",
  },
  initial: ["requested"],
  guards: {},
  transitions: [
    {
      event: "approve",
      from: ["requested"],
      to: "approved",
      permission: "ai-audit:approve",
      fourEyes: true,
      warns: true,
    },
    { event: "decline", from: ["requested"], to: "declined", byPeople: true },
  ],
});
