import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a halt. People alone lift one. */
export const haltStatus = defineMachine<unknown>()({
  name: "haltStatus",
  field: "status",
  eventType: "halt.status.changed",
  states: {
    active: "What it names may not be used.",
    lifted: "It stops nothing any more.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    {
      event: "lift",
      from: ["active"],
      to: "lifted",
      needsReason: true,
      permission: "ai-halt:lift",
      byPeople: true,
    },
  ],
});
