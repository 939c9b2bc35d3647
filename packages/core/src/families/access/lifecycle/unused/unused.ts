import type { Environment } from "../../../../kernel/config/environment.js";
import type { Context } from "../../../../kernel/operation/context.js";
import { systemContext } from "../../../../kernel/operation/system-context.js";
import { DAY_MS, HOUR_MS, timestamp } from "../../../../ports/clock.js";
import { isAnomalous } from "../../../connectors/index.js";
import { unusedAccessSetting } from "../../../platform/index.js";
import { type AccessAssignment, accessAssignments } from "../../assignments/schema.js";
import { usageStateOf, windowStart } from "../../usage/rules.js";
import { coverageOf, NOTHING_KNOWN } from "../../usage/seen/coverage.js";

/** How long access that is not used goes on after its notice, in milliseconds. */
const NOTICE = 14 * DAY_MS;
/** Assignments that one run looks at. */
const MOST = 500;

/** Whether the end of an assignment is the one that its notice has set. */
const isOwn = ({ expiresAt, unusedNotice }: AccessAssignment) => unusedNotice?.endsAt === expiresAt;

/**
 * Gives notice to access that is not used, where the tenant wants that: it ends in two weeks. What is used again, and
 * all of it when the tenant wants it no more, lasts as long as before. Returns how much it changed.
 */
export async function endUnused(env: Environment, tenantId: string): Promise<number> {
  const ctx = systemContext(env, tenantId, "unused");
  const noticed = await given(ctx);
  const setting = await unusedAccessSetting(ctx);
  if (!setting && noticed.length === 0) return 0;
  return ctx.write(async (inner) => {
    const restored = await restore(inner, setting !== null);
    return setting ? restored + (await giveNotice(inner, setting)) : restored;
  });
}

async function given(ctx: Pick<Context, "db">) {
  const order = { by: "noticedUnusedAt", direction: "asc" } as const;
  return (await ctx.db.find(accessAssignments, { order, range: { from: timestamp(0) }, size: MOST })).rows;
}

async function restore(ctx: Context, isOn: boolean): Promise<number> {
  let restored = 0;
  for (const row of await given(ctx)) {
    const one = await ctx.current(accessAssignments, row);
    const notice = one.unusedNotice;
    if (one.status !== "active" || !notice) continue;
    const isUsed = one.lastUsedAt !== null && one.lastUsedAt > notice.at;
    if (isOn && !isUsed && isOwn(one)) continue;
    // Somebody has set another end meanwhile, which stays.
    const before = isOwn(one) ? { expiresAt: notice.expiresAt, isPermanent: notice.isPermanent } : {};
    const event = { type: "access.assignment.unused_restored", data: { ...about(one), ...before } };
    await ctx.update(accessAssignments, one, { ...before, unusedNotice: null }, { event });
    restored += 1;
  }
  return restored;
}

async function giveNotice(ctx: Context, { days, from }: { readonly days: number; readonly from: string }) {
  const window = { nowMs: ctx.request.nowMs, days };
  // What was dormant already when this began is left alone.
  const range = { from: windowStart(Date.parse(from), days), before: windowStart(window.nowMs, days) };
  const order = { by: "dormantSince", direction: "asc" } as const;
  const { rows } = await ctx.db.find(accessAssignments, { order, range, size: MOST });
  if (rows.length === 0) return 0;
  const some = rows.map((row) => ctx.derived(accessAssignments, row)).filter(({ status }) => status === "active");
  const coverage = await coverageOf(
    ctx,
    some.map(({ connectorInstanceId }) => connectorInstanceId),
  );
  const end = timestamp(window.nowMs + NOTICE);
  const brake = await brakeOf(ctx);
  let noticed = 0;
  for (const one of some) {
    const known = coverage.get(one.connectorInstanceId) ?? NOTHING_KNOWN;
    const isUnused = usageStateOf(one, known, window).usageState === "unused";
    const endsAnyway = one.expiresAt !== null && one.expiresAt <= end;
    if (!isUnused || endsAnyway || !brake(one.connectorInstanceId)) continue;
    const { expiresAt, isPermanent } = one;
    const unusedNotice = { at: ctx.now, days, endsAt: end, expiresAt, isPermanent };
    const event = {
      type: "access.assignment.unused_noticed",
      severity: "WARN",
      data: { ...about(one), days, endsAt: end },
    } as const;
    await ctx.update(accessAssignments, one, { expiresAt: end, isPermanent: false, unusedNotice }, { event });
    noticed += 1;
  }
  return noticed;
}

const about = ({ assetId, connectorInstanceId }: AccessAssignment) => ({ assetId, connectorInstanceId });

/** Whether one more assignment of a target may be given notice in this hour. The others wait for the next. */
async function brakeOf(ctx: Context): Promise<(instanceId: string) => boolean> {
  const since = timestamp(ctx.request.nowMs - HOUR_MS);
  const recent = new Map<string, number>();
  for (const { value } of await given(ctx))
    if ((value.unusedNotice?.at ?? "") >= since)
      recent.set(value.connectorInstanceId, (recent.get(value.connectorInstanceId) ?? 0) + 1);
  const live = await ctx.db.countBy(accessAssignments, "liveOf");
  return (instanceId) => {
    const before = recent.get(instanceId) ?? 0;
    const known = Math.max(0, (live.get(instanceId) ?? 0) - before);
    if (isAnomalous({ found: 1, missing: 1, known, recent: before })) return false;
    recent.set(instanceId, before + 1);
    return true;
  };
}
