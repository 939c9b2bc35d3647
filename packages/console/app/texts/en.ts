import { common } from "./en/common.js";
import { estate } from "./en/estate.js";
import { inbox } from "./en/inbox.js";
import { session } from "./en/session.js";
import { stop } from "./en/stop.js";

/** English. Each area has a file of its own. */
export const en = {
  ...common,
  estate,
  inbox,
  session,
  stop,
};
