import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a sync. */
export const accessSyncStatus = defineMachine<{ readonly status: string }>()({
  name: "accessSyncStatus",
  field: "status",
  eventType: "access.sync.status.changed",
  states: {
    running: "The listings of the target are read.",
    complete: "All that was asked for was read to its end.",
    partial: "Some listing left something out. Nothing was concluded from what it lacks.",
    failed: "A listing could not be read. What had been read is kept.",
    anomalous: "More is missing than is plausible. Nothing counts as missing unless somebody accepts it.",
    cancelled: "Somebody has stopped it.",
  },
  initial: ["running"],
  guards: {},
  transitions: [
    { event: "complete", from: ["running"], to: "complete", automatic: true },
    { event: "break_off", from: ["running"], to: "partial", automatic: true },
    { event: "fail", from: ["running"], to: "failed", automatic: true, warns: true },
    { event: "trip", from: ["running"], to: "anomalous", automatic: true, warns: true },
    {
      event: "accept",
      from: ["anomalous"],
      to: "running",
      permission: "access-target:accept",
      needsReason: true,
      byPeople: true,
    },
    { event: "cancel", from: ["running"], to: "cancelled", permission: "access-target:sync", stops: true },
  ],
});
