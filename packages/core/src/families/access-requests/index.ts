export { conflictsOfAssignment } from "./requests/conflicts/unresolved.js";
export { createRequest } from "./requests/create/create.js";
export { isShort, neededFor, requestScopeHash } from "./requests/rules.js";
export { type AccessRequest, accessRequests, activeStage } from "./requests/schema.js";
