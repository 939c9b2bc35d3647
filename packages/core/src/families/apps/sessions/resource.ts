import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { lostAccess } from "../assignments/check/lost-access.js";
import { appClosings } from "../saml-apps/change/closing.js";
import { endSessionsWithoutAccess } from "./end/access.js";
import { endSessionsOfApp } from "./end/end.js";
import { followClients, followUsers } from "./end/follow.js";
import { samlSessions } from "./schema.js";

/** Sessions of people at applications. */
export const sessionsResource = defineResource({
  collections: [samlSessions],
  follows: [followUsers, followClients],
  extends: [
    // The sessions of an application end before its assignments go.
    extend(appClosings, endSessionsOfApp),
    extend(lostAccess, endSessionsWithoutAccess),
  ],
});
