import { defineResource } from "#families/resource.js";
import { dropWithSession } from "./open-session.js";
import { askBeforeCall } from "./operations.js";
import { clientSessions } from "./schema.js";

/** Questions of clients before their agents call a tool. */
export const hooksResource = defineResource({
  collections: [clientSessions],
  operations: [askBeforeCall],
  follows: [dropWithSession],
});
