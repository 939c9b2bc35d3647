import { defineFamily } from "../../kernel/family.js";
import { followAgents, tendSessions } from "./cascades.js";
import { resumeSession, retryEnforcement, suspendSession, terminateSession } from "./control-operations.js";
import { sessionStatus } from "./machine.js";
import { createSession, deleteSession, listSessions, readSession, replaceSession } from "./operations.js";
import { acknowledgeSession, heartbeatSession, reportSessionUsage } from "./report-operations.js";
import { sessionBells, sessions } from "./schema.js";

export { endSwitchedOff } from "./cascades.js";
export { MOST_POINTS, PRESENCE_SECONDS } from "./enforcement.js";
export { addUsage, limitReached, NO_USAGE, Usage } from "./limits.js";
export { isLive, isOver } from "./machine.js";
export { acknowledge, heartbeat, leave, reportUsage } from "./report.js";
export { type Sensitivity, Session, sessionBells, sessions } from "./schema.js";

/** Running sessions of agents: what they may spend, who stops them, and whether that has reached where they run. */
export const aiSessions = defineFamily({
  name: "sessions",
  collections: [sessions, sessionBells],
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
  follows: [followAgents],
  tick: (env, tenantId) => tendSessions(env, tenantId),
});
