import { defineMachine } from "#kernel/operation/guard.js";

/** `status` of an agent-tool token. Whatever ends it, it never comes back. */
export const agentToolTokenStatus = defineMachine<{ readonly status: string }>()({
  name: "agentToolTokenStatus",
  field: "status",
  eventType: "access.token.status.changed",
  states: {
    active: "It may be used.",
    exhausted: "Its calls or bytes are used up.",
    expired: "Its time is over.",
    revoked: "It was ended, or what it rests on was.",
  },
  initial: ["active"],
  guards: {},
  transitions: [
    { event: "exhaust", from: ["active"], to: "exhausted", automatic: true },
    { event: "expire", from: ["active"], to: "expired", automatic: true },
    {
      event: "revoke",
      from: ["active"],
      to: "revoked",
      permission: "agent-tool-token:revoke",
      stops: true,
    },
  ],
});
