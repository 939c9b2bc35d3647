import { defineResource } from "#families/resource.js";
import { defineEventReaders } from "#kernel/operation/shown-events.js";
import { revokedTokens } from "./revoked-tokens.js";

/** Access tokens that were revoked. */
export const tokensResource = defineResource({
  collections: [revokedTokens],
  extends: [defineEventReaders({ platform: ["support:read"] })],
});
