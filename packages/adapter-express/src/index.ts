export { type LiveSessionOptions, requireLiveSession, sessionGuardOf } from "./live-session.js";
export { type ReeveOptions, reeve } from "./middleware.js";
export type { HostRequest } from "./request.js";
