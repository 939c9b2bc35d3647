export { newestCheckpoint } from "./chain/checkpoints/stored.js";
export { compareCheckpoint, headOf } from "./chain/verify/compare.js";
export { type ChainVerification, type VerifyOptions, verifyChain } from "./chain/verify/verify.js";
export { keptReasons } from "./erasures/erase/kept.js";
export { erasures } from "./erasures/schema.js";
export { knownSubject } from "./events/events-of-subject.js";
export { Event } from "./events/schema.js";
export { filteredEvents } from "./events/walk-events.js";
export { type ExportRange, exportEvents } from "./export/export-events.js";
