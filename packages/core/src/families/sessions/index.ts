import { defineArea } from "#kernel/operation/area.js";
import { dropAged, dueByAge } from "#kernel/operation/retention.js";
import { sessionEvents } from "./events.js";
import { followAgents, runSessionJobs } from "./sessions/control/cascades.js";
import { followDependencies } from "./sessions/control/dependencies.js";
import { resumeSession, retryEnforcement, suspendSession, terminateSession } from "./sessions/control/operations.js";
import { sessionStatus } from "./sessions/machine.js";
import { createSession, deleteSession, listSessions, readSession, replaceSession } from "./sessions/operations.js";
import { sessionPermissions } from "./sessions/permissions.js";
import { acknowledgeSession, heartbeatSession, reportSessionUsage } from "./sessions/report/operations.js";
import { sessionChangeSignals, sessions } from "./sessions/schema.js";

export { endSwitchedOff } from "./sessions/control/cascades.js";
export { changeEpoch } from "./sessions/control/control.js";
export { MOST_POINTS, PRESENCE_SECONDS } from "./sessions/control/enforcement.js";
export { isLive, isOver } from "./sessions/machine.js";
export { addUsage, limitReached, NO_USAGE, Usage, usageOf } from "./sessions/report/limits.js";
export { acknowledge, heartbeat, leave, reportUsage } from "./sessions/report/report.js";
export { SENSITIVITIES, type Sensitivity, Session, sessionChangeSignals, sessions } from "./sessions/schema.js";

/** Sessions of agents: their limits, decisions about them, and the enforcement of those. */
export const aiSessions = defineArea({
  name: "sessions",
  collections: [sessions, sessionChangeSignals],
  machines: [sessionStatus],
  operations: [
    listSessions,
    createSession,
    readSession,
    replaceSession,
    deleteSession,
    suspendSession,
    resumeSession,
    terminateSession,
    heartbeatSession,
    reportSessionUsage,
    acknowledgeSession,
    retryEnforcement,
  ],
  follows: [followAgents, ...followDependencies],
  dues: [dueByAge("sessions", sessions, "endedAt")],
  tick: async (env, tenantId) =>
    (await runSessionJobs(env, tenantId)) +
    (await dropAged(env, tenantId, { kind: "sessions", collection: sessions, by: "endedAt" })),
  extends: [sessionEvents, sessionPermissions],
});
