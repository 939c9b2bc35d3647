import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an import. */
export const importStatus = defineMachine<{ readonly status: string }>()({
  name: "connectorImportStatus",
  field: "status",
  eventType: "connector.import.status.changed",
  states: {
    queued: "Waits for its turn.",
    discovering: "The listing of the target is read.",
    awaiting_confirmation: "The plan waits for somebody to confirm it.",
    importing: "The confirmed part of the plan is carried out.",
    completed: "Everything that was confirmed has been done.",
    partially_completed: "Some of what was confirmed could not be done; the items say why.",
    failed: "The listing could not be read, and nothing was concluded from it.",
    cancelled: "Somebody has stopped it.",
    expired: "Nobody confirmed the plan in time.",
    superseded: "A later import of the same instance has taken its place.",
  },
  initial: ["queued"],
  guards: {},
  transitions: [
    { event: "start", from: ["queued"], to: "discovering", automatic: true },
    { event: "plan", from: ["discovering"], to: "awaiting_confirmation", automatic: true },
    { event: "fail", from: ["queued", "discovering"], to: "failed", automatic: true },
    { event: "confirm", from: ["awaiting_confirmation"], to: "importing", permission: "connector-import:confirm" },
    { event: "preselect", from: ["discovering"], to: "importing", automatic: true },
    { event: "complete", from: ["importing"], to: "completed", automatic: true },
    { event: "stop", from: ["importing"], to: "partially_completed", automatic: true },
    {
      event: "cancel",
      from: ["queued", "discovering", "awaiting_confirmation"],
      to: "cancelled",
      permission: "connector-import:write",
      stops: true,
    },
    { event: "expire", from: ["awaiting_confirmation"], to: "expired", automatic: true },
    { event: "supersede", from: ["awaiting_confirmation"], to: "superseded", automatic: true },
  ],
});
