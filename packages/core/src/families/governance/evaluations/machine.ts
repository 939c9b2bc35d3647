import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an evaluation run. */
export const runStatus = defineMachine()({
  name: "evaluationRunStatus",
  field: "status",
  eventType: "evaluation.status.changed",
  states: {
    queued: "Waits for a worker.",
    running: "A worker goes through the assets, a part at a time.",
    completed: "All of its assets were looked at, and every rule had a result.",
    completed_with_errors: "All of its assets were looked at, and some rules had no result.",
    failed: "Given up; what was done until then holds, and the rest was not looked at.",
    cancelled: "Stopped by somebody; what was done until then holds, and the rest was not looked at.",
  },
  initial: ["queued"],
  guards: {},
  transitions: [
    { event: "start", from: ["queued"], to: "running", automatic: true },
    { event: "complete", from: ["running"], to: "completed", automatic: true },
    { event: "complete_with_errors", from: ["running"], to: "completed_with_errors", automatic: true },
    { event: "fail", from: ["queued", "running"], to: "failed", automatic: true },
    { event: "cancel", from: ["queued", "running"], to: "cancelled", permission: "ai-evaluation:run" },
  ],
});
