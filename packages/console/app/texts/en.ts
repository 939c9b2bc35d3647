import { access } from "./en/access.js";
import { activity } from "./en/activity.js";
import { common } from "./en/common.js";
import { estate } from "./en/estate.js";
import { findings } from "./en/findings.js";
import { inbox } from "./en/inbox.js";
import { session } from "./en/session.js";
import { stop } from "./en/stop.js";

/** English. Each area has a file of its own. */
export const en = {
  ...common,
  access,
  activity,
  estate,
  findings,
  inbox,
  session,
  stop,
};
