export { type LiveSessionOptions, requireLiveSession, sessionGuardOf } from "./live-session.js";
export { type ReeveOptions, reeve, reeveFrameworkErrors } from "./plugin.js";
