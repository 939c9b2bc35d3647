import { defineMachine } from "#kernel/operation/guard.js";

const deciding = { permission: "access-certification:review", byPeople: true } as const;

/** `status` of one assignment within a certification campaign. */
export const certificationItemStatus = defineMachine<{ readonly status: string }>()({
  name: "accessCertificationItemStatus",
  field: "status",
  eventType: "access.certification_item.status.changed",
  states: {
    pending: "It waits for a decision.",
    decided: "It is decided. Nothing was carried out yet, so the decision can be changed.",
    stale: "The access has changed since it was looked at. It is looked at again.",
    no_response: "Nobody has decided it in time.",
    excluded: "It is shown, and nobody decides about it.",
    remediating: "Its access is ended, and the target has not confirmed that yet.",
    remediated: "What was decided is carried out.",
    remediation_failed: "What was decided could not be carried out. It is left to people.",
    auto_resolved: "There is nothing to decide any more.",
  },
  initial: ["pending", "excluded"],
  guards: {},
  transitions: [
    { event: "decide", from: ["pending"], to: "decided", ...deciding },
    { event: "conclude", from: ["pending"], to: "decided", automatic: true },
    { event: "change", from: ["decided"], to: "decided", stays: true, ...deciding },
    { event: "undo", from: ["decided"], to: "pending", ...deciding },
    { event: "withdraw", from: ["decided"], to: "no_response", ...deciding },
    { event: "keep", from: ["decided"], to: "no_response", automatic: true },
    { event: "advance", from: ["decided"], to: "pending", automatic: true },
    { event: "pass", from: ["pending", "stale"], to: "no_response", automatic: true, warns: true },
    { event: "outdate", from: ["pending", "decided", "no_response"], to: "stale", automatic: true },
    { event: "refresh", from: ["stale"], to: "pending", automatic: true },
    {
      event: "resolve",
      from: ["pending", "decided", "stale", "no_response"],
      to: "auto_resolved",
      automatic: true,
    },
    { event: "begin", from: ["decided", "no_response"], to: "remediating", automatic: true },
    { event: "finish", from: ["decided", "remediating", "remediation_failed"], to: "remediated", automatic: true },
    { event: "stall", from: ["decided", "remediating"], to: "remediation_failed", automatic: true, warns: true },
  ],
});
