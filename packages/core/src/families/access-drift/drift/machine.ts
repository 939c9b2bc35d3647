import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of a difference between a target and what was granted. */
export const accessDriftStatus = defineMachine<{ readonly status: string }>()({
  name: "accessDriftStatus",
  field: "status",
  eventType: "access.drift.status.changed",
  states: {
    suspected: "One look has found it, and a second one is to confirm it.",
    open: "The target differs from what was granted.",
    repairing: "The target is being put right.",
    accepted: "Somebody lets it be until a time.",
    suppressed: "Somebody lets it be until it changes.",
    resolved: "The target agrees again.",
    dismissed: "The second look did not confirm it.",
  },
  initial: ["suspected", "open"],
  guards: {},
  transitions: [
    { event: "confirm", from: ["suspected"], to: "open", automatic: true, warns: true },
    { event: "dismiss", from: ["suspected"], to: "dismissed", automatic: true },
    { event: "repair", from: ["open"], to: "repairing", permission: "access-drift:repair", needsReason: true },
    { event: "fail_repair", from: ["repairing"], to: "open", automatic: true, warns: true },
    {
      event: "accept",
      from: ["open"],
      to: "accepted",
      permission: "access-drift:decide",
      needsReason: true,
      byPeople: true,
    },
    {
      event: "suppress",
      from: ["open"],
      to: "suppressed",
      permission: "access-drift:decide",
      needsReason: true,
      byPeople: true,
    },
    { event: "lapse", from: ["accepted"], to: "open", automatic: true, warns: true },
    { event: "change", from: ["accepted", "suppressed"], to: "open", automatic: true, warns: true },
    { event: "resolve", from: ["open", "repairing", "accepted", "suppressed"], to: "resolved", automatic: true },
    { event: "recur", from: ["resolved", "dismissed"], to: "suspected", automatic: true },
    { event: "reopen", from: ["resolved", "dismissed"], to: "open", automatic: true, warns: true },
  ],
});
