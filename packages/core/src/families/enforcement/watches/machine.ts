import { defineMachine, type Guard } from "#kernel/operation/guard.js";

interface Timed {
  readonly expiresAt: string;
}

const timely: Guard<Timed> = {
  description: "Its end lies ahead.",
  check: ({ record, ctx }) => (record.expiresAt > ctx.now ? undefined : `Its end, ${record.expiresAt}, has passed.`),
};

/** `status` of a watch. While it is watching, calls pass that would have been denied or would have waited. */
export const watchStatus = defineMachine<Timed>()({
  name: "watchStatus",
  field: "status",
  eventType: "enforcement_watch.status.changed",
  states: {
    requested: "Waits for somebody else's decision; decisions are enforced.",
    watching: "Calls are judged and recorded, and only stops deny them.",
    rejected: "Was refused.",
    enforced: "Somebody has seen what would have been denied, and decisions are enforced again.",
    expired: "Its time is over, and decisions are enforced again.",
    lapsed: "Its end came before a decision.",
  },
  initial: ["requested"],
  guards: { timely },
  transitions: [
    {
      event: "approve",
      from: ["requested"],
      to: "watching",
      permission: "enforcement-watch:approve",
      fourEyes: true,
      guards: ["timely"],
    },
    {
      event: "reject",
      from: ["requested"],
      to: "rejected",
      permission: "enforcement-watch:approve",
      needsReason: true,
      byPeople: true,
    },
    { event: "enforce", from: ["watching"], to: "enforced", permission: "enforcement-watch:enforce" },
    { event: "expire", from: ["watching"], to: "expired", automatic: true },
    { event: "lapse", from: ["requested"], to: "lapsed", automatic: true },
  ],
});
