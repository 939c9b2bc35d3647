export { endSwitchedOff } from "./sessions/control/cascades.js";
export { changeEpoch, complete as completeSession } from "./sessions/control/control.js";
export { MOST_POINTS, PRESENCE_SECONDS } from "./sessions/control/enforcement.js";
export { isLive, isOver } from "./sessions/machine.js";
export { addUsage, limitReached, NO_USAGE, Usage, usageOf } from "./sessions/report/limits.js";
export { acknowledge, heartbeat, leave, reportUsage } from "./sessions/report/report.js";
export { stopsOfSessions } from "./sessions/report/stops.js";
export { SENSITIVITIES, type Sensitivity, Session, sessionChangeSignals, sessions } from "./sessions/schema.js";
export { requireUser, startSession as startAgentSession } from "./sessions/start/start.js";
