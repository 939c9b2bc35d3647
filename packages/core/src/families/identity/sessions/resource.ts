import { defineResource } from "#families/resource.js";
import { signOut } from "./operations.js";
import { refreshTokens } from "./schema.js";

/** Refresh tokens. */
export const sessionsResource = defineResource({
  collections: [refreshTokens],
  operations: [signOut],
});
