import { defineMachine, type Guard } from "#kernel/operation/guard.js";

/** The fields that the guard reads. */
interface Timed {
  readonly expiresAt: string;
}

const timely: Guard<Timed> = {
  description: "Its end lies ahead.",
  check: ({ record, ctx }) => (record.expiresAt > ctx.now ? undefined : `Its end, ${record.expiresAt}, has passed.`),
};

/** `status` of an exemption. `exemptionState` tells whether an approved one is active. */
export const exemptionStatus = defineMachine<Timed>()({
  name: "exemptionStatus",
  field: "status",
  eventType: "exemption.status.changed",
  states: {
    requested: "Waits for somebody else's decision.",
    approved: "Holds from its start to its end.",
    rejected: "Was refused.",
    withdrawn: "Was taken back before it was decided.",
    revoked: "Was approved, and taken back before its end.",
    expired: "Its time is over.",
    superseded: "A renewal has taken its place.",
    lapsed: "Its policy was deleted, or its end came before a decision.",
  },
  initial: ["requested"],
  guards: { timely },
  transitions: [
    {
      event: "approve",
      from: ["requested"],
      to: "approved",
      permission: "ai-exemption:approve",
      fourEyes: true,
      seen: true,
      guards: ["timely"],
    },
    {
      event: "reject",
      from: ["requested"],
      to: "rejected",
      permission: "ai-exemption:approve",
      byPeople: true,
      needsReason: true,
    },
    { event: "withdraw", from: ["requested"], to: "withdrawn", permission: "ai-exemption:request", byPeople: true },
    {
      event: "revoke",
      from: ["approved"],
      to: "revoked",
      permission: "ai-exemption:revoke",
      byPeople: true,
      stops: true,
    },
    { event: "expire", from: ["approved"], to: "expired", automatic: true },
    { event: "supersede", from: ["approved"], to: "superseded", automatic: true },
    { event: "lapse", from: ["requested", "approved"], to: "lapsed", automatic: true },
  ],
});
