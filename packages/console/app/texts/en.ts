import { common } from "./en/common.js";
import { inbox } from "./en/inbox.js";
import { session } from "./en/session.js";

/** English. Each area has a file of its own. */
export const en = {
  ...common,
  inbox,
  session,
};
