import { defineResource } from "#families/resource.js";
import { findOverdueWork, findStuckRevocations, findUnmannedRequests, findUnseenAccess } from "./observe-access.js";

/** Findings about access that is stuck, unseen, overdue or without an approver. */
export const findingsResource = defineResource({
  follows: [findStuckRevocations, findUnseenAccess, findUnmannedRequests, findOverdueWork],
});
