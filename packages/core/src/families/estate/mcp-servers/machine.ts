import { defineMachine } from "#kernel/operation/guard.js";

const STATES = {
  unknown: "Nobody has asked it yet.",
  reachable: "It answered the last probe.",
  degraded: "The last probe failed; too few have failed in a row to call it unreachable.",
  unreachable: "As many probes failed in a row as its threshold says.",
  auth_required: "It answers, and wants other credentials.",
  misconfigured: "What is registered of it cannot be used to ask it.",
  disabled: "It is not asked.",
} as const;
type Connection = keyof typeof STATES;

/** The states from which a probe can lead to `to`. */
const asked = (to: Connection): Connection[] =>
  (Object.keys(STATES) as Connection[]).filter((state) => state !== to && state !== "disabled");

/** The connection state of a server. Only probes move it. It does not affect approval. */
export const mcpConnection = defineMachine()({
  name: "mcpConnection",
  field: "connection",
  eventType: "mcp_server.connection.changed",
  states: STATES,
  initial: ["unknown"],
  guards: {},
  transitions: [
    { event: "answer", from: asked("reachable"), to: "reachable", automatic: true },
    {
      event: "miss",
      from: ["unknown", "reachable", "auth_required", "misconfigured"],
      to: "degraded",
      automatic: true,
    },
    { event: "fail", from: asked("unreachable"), to: "unreachable", automatic: true },
    { event: "challenge", from: asked("auth_required"), to: "auth_required", automatic: true },
    { event: "misfit", from: asked("misconfigured"), to: "misconfigured", automatic: true },
    { event: "forget", from: asked("unknown"), to: "unknown", automatic: true },
    { event: "disable", from: asked("disabled"), to: "disabled", automatic: true },
    { event: "enable", from: ["disabled"], to: "unknown", automatic: true },
  ],
});
