import { access } from "./en/access.js";
import { account } from "./en/account.js";
import { activity } from "./en/activity.js";
import { administration } from "./en/administration.js";
import { chatChannels } from "./en/chat-channels.js";
import { common } from "./en/common.js";
import { compliance } from "./en/compliance.js";
import { connections } from "./en/connections.js";
import { estate } from "./en/estate.js";
import { exemptions } from "./en/exemptions.js";
import { findings } from "./en/findings.js";
import { importFile } from "./en/import-file.js";
import { inbox } from "./en/inbox.js";
import { installations } from "./en/installations.js";
import { notices } from "./en/notices.js";
import { opening } from "./en/opening.js";
import { policies } from "./en/policies.js";
import { provider } from "./en/provider.js";
import { session } from "./en/session.js";
import { stop } from "./en/stop.js";
import { webhooks } from "./en/webhooks.js";
import { work } from "./en/work.js";

/** English. Each area has a file of its own. */
export const en = {
  ...common,
  access,
  account,
  activity,
  administration,
  chatChannels,
  connections,
  importFile,
  compliance,
  estate,
  exemptions,
  findings,
  inbox,
  installations,
  notices,
  opening,
  policies,
  provider,
  session,
  stop,
  webhooks,
  work,
};
