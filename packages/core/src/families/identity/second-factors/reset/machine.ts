import { defineMachine } from "#kernel/operation/guard.js";
import { daysMs } from "#ports/durations.js";

/** Days for which a request can be approved. */
const DAYS = 7;

/** `status` of a request to remove somebody's second factors. Two people take part: one asks, another approves. */
export const factorResetStatus = defineMachine<{ readonly createdAt: string }>()({
  name: "factorResetStatus",
  field: "status",
  eventType: "second_factor_reset.status.changed",
  states: {
    requested: "Waits for somebody else's decision. Nothing is removed.",
    approved: "The factors were removed, and every sign-in was ended.",
    declined: "Was declined or taken back.",
  },
  initial: ["requested"],
  guards: {
    recent: {
      description: `It was asked for in the last ${DAYS} days.`,
      check: async ({ record, ctx }) =>
        Date.parse(record.createdAt) > ctx.request.nowMs - daysMs(DAYS) ? undefined : "It is too old; ask again.",
    },
  },
  transitions: [
    {
      event: "approve",
      from: ["requested"],
      to: "approved",
      permission: "user:write",
      guards: ["recent"],
      fourEyes: true,
      warns: true,
    },
    { event: "decline", from: ["requested"], to: "declined", byPeople: true },
  ],
});
