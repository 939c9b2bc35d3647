import { defineResource } from "#families/resource.js";
import { followRemovedUsers } from "./follow-people.js";
import { leaveMails, showLeaving } from "./leave-mails.js";
import { putPreferences, readPreferences } from "./operations.js";
import { noticePreferences } from "./schema.js";

/** How people want to be told. */
export const preferencesResource = defineResource({
  collections: [noticePreferences],
  operations: [readPreferences, putPreferences, showLeaving, leaveMails],
  follows: [followRemovedUsers],
});
