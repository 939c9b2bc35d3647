import { defineResource } from "#families/resource.js";
import { endBrowserSession, listBrowserSessions } from "./browser/operations.js";
import { browserSessions } from "./browser/schema.js";
import { signOut } from "./operations.js";
import { refreshTokens } from "./schema.js";

/** Refresh tokens, and browsers in which somebody is signed in by a cookie. */
export const sessionsResource = defineResource({
  collections: [refreshTokens, browserSessions],
  operations: [signOut, listBrowserSessions, endBrowserSession],
});
