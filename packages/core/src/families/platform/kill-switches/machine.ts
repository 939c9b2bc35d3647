import { defineMachine } from "#kernel/operation/guard.js";

/** A switch is off or on. Both transitions need a reason. */
export const killSwitchStatus = defineMachine<unknown>()({
  name: "killSwitchStatus",
  field: "status",
  eventType: "kill_switch.status.changed",
  states: {
    released: "What it guards goes on.",
    engaged: "What it guards is refused.",
  },
  initial: ["released"],
  guards: {},
  transitions: [
    {
      event: "engage",
      warns: true,
      from: ["released"],
      to: "engaged",
      stops: true,
      permission: "support:kill-switches",
    },
    {
      event: "release",
      from: ["engaged"],
      to: "released",
      needsReason: true,
      permission: "support:kill-switches",
    },
  ],
});
