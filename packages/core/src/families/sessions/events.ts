import type { OwnEvents } from "../events.js";

export const sessionEvents: OwnEvents = {
  "session.usage_reported":
    "What a session of an agent has spent since the last report. `data` holds `reported`, the `usage` it adds up to, and `metadata`.",
  "session.enforcement_requested":
    "The enforcement points of a session were asked once more. `data` holds the new `epoch`, the `state`, the `reason` and `metadata`.",
  "session.enforcement_acknowledged":
    "An enforcement point said whether a decision about a session is carried out there. `data` holds `pepId`, `epoch`, `outcome`, `detail`, the `state` it leads to and `metadata`.",
};
