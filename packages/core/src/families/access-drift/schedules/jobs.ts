import { instances } from "#families/connectors/index.js";
import { engagedSwitchesOf } from "#families/estate/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import { beginScan } from "../scans/begin-scan.js";
import { beginSync } from "../syncs/begin-sync.js";
import { accessSyncs } from "../syncs/schema.js";
import { intervalOf, type Reading } from "./rules.js";
import { type AccessSchedule, accessSchedules } from "./schema.js";

/** The most readings of a kind that a tenant begins in one `tick`. */
const MOST = 64;
/** How long a scan waits for a sync that is under way, and anything for calls that are switched off. */
const PUT_OFF = minutesMs(1);

/** Begins syncs and scans of a tenant that are due by schedule. Returns how many it looked at. */
export async function runSchedules(env: Environment, tenantId: string): Promise<number> {
  return (await beginDue(env, tenantId, "sync")) + (await beginDue(env, tenantId, "driftScan"));
}

async function beginDue(env: Environment, tenantId: string, reading: Reading): Promise<number> {
  const ctx = systemContext(env, tenantId, "schedule");
  const by = `${reading}At` as const;
  if (isQuiet(env, tenantId, accessSchedules, { by, through: ctx.now })) return 0;
  const due = { order: { by, direction: "asc" }, range: { through: ctx.now }, size: MOST } as const;
  const { rows } = await ctx.db.find(accessSchedules, due);
  for (const { value } of rows) await beginOne(env, tenantId, value, reading);
  return rows.length;
}

/** Begins one reading, and plans the next. Another process may have done so. */
async function beginOne(env: Environment, tenantId: string, seen: AccessSchedule, reading: Reading): Promise<void> {
  const ctx = systemContext(env, tenantId, "schedule");
  try {
    await ctx.write(async (inner) => {
      const held = (await inner.db.get(accessSchedules, seen.id))?.value;
      if (held?.version !== seen.version) return;
      const pause = await read(inner, held, reading);
      await inner.update(accessSchedules, held, {
        [`${reading}At`]: pause === undefined ? null : timestamp(inner.request.nowMs + pause),
      });
    });
  } catch (error) {
    if (!ReeveError.is(error) || error.code !== "concurrent_modification") throw error;
  }
}

/** Begins it unless it has to wait. Returns after how many milliseconds to look again. */
async function read(ctx: Context, { connectorInstanceId }: AccessSchedule, reading: Reading) {
  const row = await ctx.db.get(instances, connectorInstanceId);
  const interval = row && intervalOf(ctx.env, row.value, reading);
  if (interval === undefined) return undefined;
  if ((await engagedSwitchesOf(ctx)).has("connectors.outbound")) return PUT_OFF;
  if (reading === "sync") {
    await beginSync(ctx, connectorInstanceId, undefined, {});
    return interval;
  }
  // A scan compares with what syncs know, so it comes after one that is under way.
  if (await ctx.db.lookup(accessSyncs, "running", { runningFor: connectorInstanceId })) return PUT_OFF;
  await beginScan(ctx, connectorInstanceId, {});
  return interval;
}
