import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import type { DueState } from "#kernel/operation/dues.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import type { Reader } from "#store/store.js";
import { anchorCheckpoints } from "./checkpoints/anchor.js";
import { CHECKPOINT_EVENTS, makeCheckpoints } from "./checkpoints/make.js";
import { pruneEvents } from "./checkpoints/prune.js";
import { stampDue, stampNewest } from "./checkpoints/stamp-newest.js";
import { chainStart, newestCheckpoint } from "./checkpoints/stored.js";
import { isOfMaintenance } from "./events.js";
import { checkpoints } from "./schema.js";

/** Whether anything is done with checkpoints. */
function isTended(env: Environment): boolean {
  const { anchor, checkpointKey, activityRetentionDays, timestampUrl } = optionsOf(env);
  return [anchor, checkpointKey, activityRetentionDays, timestampUrl].some((option) => option !== undefined);
}

/** The newest events to look at: more mean that not all of them are of maintenance. */
const LOOKED_AT = 10;

/** When there is timed work on a tenant's chain. Each event may make a checkpoint due. */
export const chainDue: DueState = {
  watchesEvents: isTended,
  async next(env, reader, now) {
    if (!isTended(env)) return null;
    const times = await Promise.all([
      checkpointDue(env, reader, now),
      anchorDue(env, reader),
      pruneDue(env, reader, now),
      stampDue(env, reader),
    ]);
    return times.flatMap((time) => time ?? []).sort()[0] ?? null;
  },
};

async function checkpointDue(env: Environment, reader: Reader, now: string): Promise<string | null> {
  const last = (await newestCheckpoint(reader))?.checkpoint;
  const after = last?.toSeq ?? 0;
  const events = await reader.scanEvents({ after, size: LOOKED_AT });
  if (events.every(isOfMaintenance) && events.length < LOOKED_AT) return null;
  const [head] = (await reader.events({ size: 1 })).events;
  if (!last || (head?.sequence ?? 0) - after >= CHECKPOINT_EVENTS) return now;
  return timestamp(Date.parse(last.at) + hoursMs(optionsOf(env).checkpointHours));
}

async function anchorDue(env: Environment, reader: Reader): Promise<string | null> {
  if (!optionsOf(env).anchor) return null;
  const query = { where: { status: "open" }, order: { by: "toSeq", direction: "asc" }, size: 1 } as const;
  return (await reader.find(checkpoints, query)).rows[0]?.value.nextAttemptAt ?? null;
}

async function pruneDue(env: Environment, reader: Reader, now: string): Promise<string | null> {
  const { activityRetentionDays, anchor } = optionsOf(env);
  if (activityRetentionDays === undefined) return null;
  const [[oldest], start] = await Promise.all([reader.scanEvents({ size: 1 }), chainStart(reader)]);
  if (start && oldest && oldest.sequence <= start.checkpoint.toSeq) return now;
  const query = { where: { pruned: false }, order: { by: "toSeq", direction: "asc" }, size: 1 } as const;
  const first = (await reader.find(checkpoints, query)).rows[0]?.value;
  if (!first || (anchor && first.status !== "anchored")) return null;
  return timestamp(Date.parse(first.checkpoint.at) + daysMs(activityRetentionDays));
}

/** Timed work on a tenant's chain. Returns how much was done. Checkpoints are made only when an option needs them. */
export async function runChainJobs(env: Environment, tenantId: string, now: string): Promise<number> {
  if (!isTended(env)) return 0;
  const made = await makeCheckpoints(env, tenantId, now);
  const anchored = await anchorCheckpoints(env, tenantId, now);
  const pruned = await pruneEvents(env, tenantId, now);
  // The authority may take its time, and nothing here waits for it.
  return made + anchored + pruned + (await stampNewest(env, tenantId, now));
}
