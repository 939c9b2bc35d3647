import { defineResource } from "#families/resource.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { sendOtp, verifyOtp } from "./operations.js";
import { addressProofs, oneTimeCodes } from "./schema.js";

/** One-time codes by mail. */
export const oneTimeCodesResource = defineResource({
  collections: [oneTimeCodes, addressProofs],
  operations: [sendOtp, verifyOtp],
  extends: [defineEventReaders({ address: ["user:read"] })],
});
