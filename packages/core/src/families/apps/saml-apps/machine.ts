import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an application: whether anybody signs on to it. */
export const samlAppStatus = defineMachine<unknown>()({
  name: "samlAppStatus",
  field: "status",
  eventType: "saml.app.status.changed",
  states: {
    draft: "Being set up: nobody signs on to it.",
    active: "Those to whom it is assigned sign on to it.",
    disabled: "Nobody signs on to it, and its sessions have ended.",
  },
  initial: ["draft"],
  guards: {},
  transitions: [
    { event: "activate", from: ["draft"], to: "active" },
    { event: "disable", from: ["active"], to: "disabled", stops: true, warns: true },
    { event: "enable", from: ["disabled"], to: "active" },
  ],
});
