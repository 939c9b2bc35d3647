import { defineMachine, type Guard } from "#kernel/operation/guard.js";
import { statesOf } from "#kernel/records/machine.js";
import type { Pin } from "./pin-tool.js";

interface Pinned {
  readonly pin: Pin;
}

const pinned: Guard<Pinned> = {
  description: "It is known what the tool says of itself.",
  check: ({ record }) =>
    record.pin.current === null ? "Its server has not been scanned yet, so there is nothing to approve." : undefined,
};

const asApproved: Guard<Pinned> = {
  description: "It says what it said when it was approved.",
  check: ({ record }) =>
    record.pin.approved !== null && record.pin.current === record.pin.approved
      ? undefined
      : "It does not say what was approved.",
};

/** `status` of a tool: whether its content is approved. */
export const toolStatus = defineMachine<Pinned>()({
  name: "toolStatus",
  field: "status",
  eventType: "tool.status.changed",
  states: {
    pending_review: "Nobody has approved what it says.",
    approved: "What it says was approved.",
    changed: "It says something else than what was approved.",
    blocked: "Somebody has forbidden it.",
    removed: "Its server has it no more.",
  },
  initial: ["pending_review"],
  guards: { pinned, asApproved },
  transitions: [
    {
      event: "approve",
      from: ["pending_review", "changed", "blocked"],
      to: "approved",
      guards: ["pinned"],
      permission: "ai-tool:approve",
      fourEyes: true,
    },
    {
      event: "renew",
      from: ["approved"],
      to: "approved",
      guards: ["pinned"],
      permission: "ai-tool:approve",
      fourEyes: true,
      stays: true,
    },
    {
      event: "block",
      from: ["pending_review", "approved", "changed", "removed"],
      to: "blocked",
      stops: true,
      warns: true,
      permission: "ai-tool:approve",
      byPeople: true,
    },
    { event: "unblock", from: ["blocked"], to: "pending_review", permission: "ai-tool:approve", byPeople: true },
    { event: "accept", from: ["pending_review", "changed"], to: "approved", guards: ["pinned"], automatic: true },
    { event: "reopen", from: ["approved"], to: "pending_review", automatic: true, warns: true },
    { event: "change", from: ["approved"], to: "changed", automatic: true, warns: true },
    { event: "revert", from: ["changed"], to: "approved", guards: ["asApproved"], automatic: true },
    { event: "remove", from: ["pending_review", "approved", "changed"], to: "removed", automatic: true },
    { event: "return", from: ["removed"], to: "pending_review", automatic: true },
    { event: "return", from: ["removed"], to: "approved", guards: ["asApproved"], automatic: true },
    { event: "return", from: ["removed"], to: "changed", automatic: true },
  ],
});

/** Every status of a tool. */
export const TOOL_STATUSES = statesOf(toolStatus);
