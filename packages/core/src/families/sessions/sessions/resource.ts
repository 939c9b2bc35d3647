import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { followAgents, runSessionJobs } from "./control/cascades.js";
import { followDependencies } from "./control/dependencies.js";
import { resumeSession, retryEnforcement, suspendSession, terminateSession } from "./control/operations.js";
import { sessionStatus } from "./machine.js";
import { createSession, deleteSession, listSessions, readSession, replaceSession } from "./operations.js";
import { acknowledgeSession, heartbeatSession, reportSessionUsage } from "./report/operations.js";
import { readSpend } from "./report/spend-operations.js";
import { readRunning } from "./running-operations.js";
import { sessionChangeSignals, sessions } from "./schema.js";

/** Sessions of agents: heartbeat, usage, suspension and termination. */
export const sessionsResource = defineResource({
  collections: [sessions, sessionChangeSignals],
  machines: [sessionStatus],
  operations: [
    listSessions,
    createSession,
    readRunning,
    readSpend,
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
  permissions: {
    "ai-session:read": { lets: "See sessions of agents", heldBy: [...READERS, "member"] },
    "ai-session:write": {
      lets: "Start sessions, change and complete them; machines their own only",
      heldBy: ["operator"],
    },
    "ai-session:delete": { lets: "Delete sessions that have ended", heldBy: ["operator"], peopleOnly: true },
    "ai-session:report": { lets: "Report heartbeats and usage of sessions", heldBy: ["operator"] },
    "ai-session:enforce": {
      lets: "Acknowledge, as an enforcement point, what was decided about a session",
      heldBy: ["operator"],
    },
    "ai-session:suspend": { lets: "Suspend sessions", heldBy: ["governance_officer", "operator"], peopleOnly: true },
    "ai-session:resume": {
      lets: "Resume suspended sessions",
      heldBy: ["governance_officer", "operator"],
      peopleOnly: true,
    },
    "ai-session:terminate": {
      lets: "Terminate sessions; machines their own only",
      heldBy: ["governance_officer", "operator"],
    },
  },
  follows: [followAgents, ...followDependencies],
  tick: runSessionJobs,
  aged: [{ kind: "sessions", collection: sessions, by: "endedAt" }],
});
