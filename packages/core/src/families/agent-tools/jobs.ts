import { accessUses } from "#families/access-drift/index.js";
import { containedRecords } from "#families/estate/index.js";
import { optionsOf } from "#families/options.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { daysMs } from "#ports/durations.js";
import { agentToolCalls, agentToolKeys, agentToolTokens } from "./tokens/schema.js";

export { runAgentToolJobs as runAgentToolsJobs } from "./tokens/jobs.js";

/** When this area has timed work. */
export const agentToolsDues: readonly Due[] = [
  dueBy(accessUses, "lostAt"),
  dueBy(agentToolCalls, "expiresAt"),
  dueBy(agentToolKeys, "expiresAt", { after: () => daysMs(1) }),
  dueBy(agentToolTokens, "expiresAt", {
    after(env) {
      const days = optionsOf(env).activityRetentionDays;
      return days === undefined ? undefined : daysMs(days);
    },
  }),
  { watches: containedRecords },
];
