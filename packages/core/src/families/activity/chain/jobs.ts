import type { Environment } from "../../../kernel/config/environment.js";
import { optionsOf } from "../../options.js";
import { anchorCheckpoints } from "./checkpoints/anchor.js";
import { makeCheckpoints } from "./checkpoints/make.js";
import { pruneEvents } from "./checkpoints/prune.js";

/** Timed work on a tenant's chain. Returns how much was done. Checkpoints are made only when an option needs them. */
export async function runChainJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  const { anchor, checkpointKey, activityRetentionDays } = optionsOf(env);
  if (!anchor && checkpointKey === undefined && activityRetentionDays === undefined) return 0;
  const made = await makeCheckpoints(env, tenantId, now);
  const anchored = await anchorCheckpoints(env, tenantId, now);
  return made + anchored + (await pruneEvents(env, tenantId, now));
}
