import { defineArea } from "#families/area.js";
import { sessionEvents } from "./events.js";
import { sessionsResource } from "./sessions/resource.js";

/** Sessions of agents: their limits, decisions about them, and the enforcement of those. */
export const aiSessions = defineArea({
  name: "sessions",
  resources: [sessionsResource],
  events: sessionEvents,
});
