import { defineFamily } from "../../kernel/family.js";
import { exportActivity, listCheckpoints, verifyActivity } from "./chain/operations.js";
import { checkpoints } from "./chain/schema.js";
import { tendChain } from "./chain/upkeep.js";
import { eraseEvents } from "./erasure.js";
import { listActivity, listSubjectActivity } from "./operations.js";

export { type ChainVerification, type VerifyOptions, verifyChain } from "./chain/verify-chain.js";
export { type ExportRange, exportEvents } from "./export.js";
export { filterEvents, SEARCHED_EVENTS } from "./filter.js";
export { OWN_EVENTS } from "./own-event-types.js";
export { Event } from "./schema.js";

/** The tamper-evident stream of everything that happens in a tenant. */
export const activity = defineFamily({
  name: "activity",
  collections: [checkpoints],
  machines: [],
  operations: [listActivity, listSubjectActivity, verifyActivity, listCheckpoints, exportActivity, eraseEvents],
  tick: tendChain,
});
