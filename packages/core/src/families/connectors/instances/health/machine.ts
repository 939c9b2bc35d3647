import { defineMachine } from "#kernel/operation/guard.js";

const STATES = {
  unknown: "Nothing has called it yet with this configuration, or nothing could for a while.",
  healthy: "It works.",
  degraded: "It works, and not all of what it is for.",
  down: "Calls have failed several times in a row.",
  misconfigured: "Its configuration or credentials are refused; nothing works until somebody changes them.",
} as const;
export type Health = keyof typeof STATES;

/** The states from which a call can lead to `to`. */
const others = (to: Health): Health[] => (Object.keys(STATES) as Health[]).filter((state) => state !== to);

/** `health` of an instance. Only tests and calls move it. */
export const instanceHealth = defineMachine()({
  name: "connectorInstanceHealth",
  field: "health",
  eventType: "connector.health.changed",
  states: STATES,
  initial: ["unknown"],
  guards: {},
  transitions: [
    { event: "recover", from: others("healthy"), to: "healthy", automatic: true },
    { event: "degrade", from: others("degraded"), to: "degraded", automatic: true },
    { event: "fail", from: others("down"), to: "down", automatic: true, warns: true },
    { event: "misfit", from: others("misconfigured"), to: "misconfigured", automatic: true, warns: true },
    { event: "forget", from: others("unknown"), to: "unknown", automatic: true },
  ],
});
