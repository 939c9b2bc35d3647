import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an access profile. People approve and disable one; syncs do the rest. */
export const accessProfileStatus = defineMachine<unknown>()({
  name: "accessProfileStatus",
  field: "status",
  eventType: "access.profile.status.changed",
  states: {
    discovered: "The target offers it, and nobody has approved it.",
    approved: "It can be requested.",
    changed: "It means something else than when it was approved. It cannot be requested.",
    disabled: "Somebody took it out of use. What was granted by it is not in force.",
    removed: "The target offers it no more.",
  },
  initial: ["discovered"],
  guards: {},
  transitions: [
    {
      event: "approve",
      from: ["discovered", "changed", "disabled"],
      to: "approved",
      permission: "access-profile:curate",
      byPeople: true,
    },
    {
      event: "disable",
      from: ["discovered", "approved", "changed"],
      to: "disabled",
      permission: "access-profile:curate",
      stops: true,
      warns: true,
    },
    { event: "alter", from: ["approved"], to: "changed", automatic: true, warns: true },
    {
      event: "withdraw",
      from: ["discovered", "approved", "changed", "disabled"],
      to: "removed",
      automatic: true,
    },
    { event: "return", from: ["removed"], to: "discovered", automatic: true },
  ],
});
