import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a webhook. */
export const webhookStatus = defineMachine<{ readonly status: string }>()({
  name: "webhookStatus",
  field: "status",
  eventType: "webhook.status.changed",
  states: {
    active: "Events are sent to it.",
    disabled: "No event is sent to it. It goes on where it stopped once it is enabled.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    { event: "disable", from: ["active"], to: "disabled", stops: true },
    { event: "enable", from: ["disabled"], to: "active" },
    { event: "give_up", from: ["active"], to: "disabled", automatic: true, warns: true },
  ],
});
