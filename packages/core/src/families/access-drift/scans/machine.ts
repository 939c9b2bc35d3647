import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a scan for drift. */
export const driftScanStatus = defineMachine<{ readonly status: string }>()({
  name: "accessDriftScanStatus",
  field: "status",
  eventType: "access.drift_scan.status.changed",
  states: {
    running: "The target is compared with what was granted.",
    complete: "All that its connector can tell was compared.",
    partial: "The listing left something out. Nothing was concluded from what it lacks.",
    failed: "The target could not be read. What was found before is kept.",
    anomalous: "More is missing than is plausible. It is not taken for drift unless somebody accepts it.",
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
  ],
});
