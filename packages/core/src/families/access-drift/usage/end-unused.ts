import { type AccessAssignment, accessAssignments, endsUnused } from "#families/access-grants/index.js";
import { isAnomalous } from "#families/connectors/index.js";
import { unusedAccessSetting } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { countsNow } from "#kernel/operation/numbers.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { fieldValue } from "#store/collection.js";
import type { FindQuery, Position } from "#store/find-query.js";
import type { Reader } from "#store/store.js";
import { usageStateOf, windowStart } from "./rules.js";
import { coverageOf, NOTHING_KNOWN } from "./usage-coverage.js";

/** How long access that is not used goes on after its notice, in milliseconds. */
const NOTICE = daysMs(14);
/** Assignments that one run looks at, of those with notice and of those without. The next run goes on after them. */
const PAGE = 500;
const TENANTS = 10_000;

type UnusedSetting = NonNullable<Awaited<ReturnType<typeof unusedAccessSetting>>>;

/** Where the next run of a tenant goes on. A process that knows of none begins anew. */
const places = defineService("access.unusedPlaces", () => boundedCache<string, Position>(TENANTS));

/**
 * Gives notice to access that is not used, where the tenant wants that: it ends in two weeks. What is used again, and
 * all of it when the tenant wants it no more, lasts as long as before. Returns how much it changed.
 */
export async function endUnused(env: Environment, tenantId: string, size = PAGE): Promise<number> {
  const ctx = systemContext(env, tenantId, "unused");
  const setting = await unusedAccessSetting(ctx);
  const restored = await restore(ctx, setting !== null, size);
  return setting ? restored + (await giveNotice(ctx, setting, size)) : restored;
}

/**
 * When this is to be looked at again: at once while pages are left, when access becomes dormant, and each hour where the
 * tenant wants notices or has given some. `null` when only a write brings that about.
 */
export async function nextUnused(env: Environment, db: Reader, now: string): Promise<string | null> {
  const [setting, noticed] = await Promise.all([
    unusedAccessSetting({ db }),
    db.find(accessAssignments, { order: ordered("noticedUnusedAt"), range: { from: timestamp(0) }, size: 1 }),
  ]);
  if (!setting && noticed.rows.length === 0) return null;
  const known = env.use(places);
  const looked = setting ? (["noticedUnusedAt", "dormantSince"] as const) : (["noticedUnusedAt"] as const);
  if (looked.some((by) => known.get(placeOf(db, by)))) return now;
  const nowMs = Date.parse(now);
  const range = setting && { from: windowStart(nowMs, setting.days) };
  const [next] = range
    ? (await db.find(accessAssignments, { order: ordered("dormantSince"), range, size: 1 })).rows
    : [];
  const since = next && fieldValue(accessAssignments, next.value, "dormantSince");
  // The window excludes its end.
  const dormantAt = setting && since ? Date.parse(String(since)) + daysMs(setting.days) + 1 : Number.POSITIVE_INFINITY;
  return timestamp(Math.min(dormantAt, nowMs + hoursMs(1)));
}

type Order = "noticedUnusedAt" | "dormantSince";
const ordered = (by: Order) => ({ by, direction: "asc" }) as const;
const placeOf = ({ tenantId }: Pick<Reader, "tenantId">, by: Order) => `${tenantId} ${by}`;

/** The next assignments in the order of a time. After the last ones it begins again. */
async function nextPage(
  ctx: ReadContext,
  by: Order,
  range: NonNullable<FindQuery["range"]>,
  size: number,
): Promise<AccessAssignment[]> {
  const known = ctx.env.use(places);
  const key = placeOf(ctx.db, by);
  const after = known.get(key);
  const query = { order: ordered(by), range, size, ...(after ? { after } : {}) };
  const { rows, next } = await ctx.db.find(accessAssignments, query);
  if (next) known.set(key, next);
  else known.delete(key);
  return rows.map((row) => ctx.derived(accessAssignments, row));
}

/** Whether a notice is taken back: it is not wanted any more, the access was used, or somebody has set another end. */
function isRestored(one: AccessAssignment, isOn: boolean): boolean {
  const { status, unusedNotice: notice, lastUsedAt } = one;
  if (status !== "active" || !notice) return false;
  return !isOn || !endsUnused(one) || (lastUsedAt !== null && lastUsedAt > notice.at);
}

async function restore(ctx: OutsideContext, isOn: boolean, size: number): Promise<number> {
  const noticed = await nextPage(ctx, "noticedUnusedAt", { from: timestamp(0) }, size);
  const due = noticed.filter((one) => isRestored(one, isOn));
  if (due.length === 0) return 0;
  return ctx.write(async (inner) => {
    let restored = 0;
    for (const one of await again(inner, due)) {
      const { unusedNotice: notice } = one;
      if (!notice || !isRestored(one, isOn)) continue;
      const before = endsUnused(one) ? { expiresAt: notice.expiresAt, isPermanent: notice.isPermanent } : {};
      const event = { type: "access.assignment.unused_restored", data: { ...about(one), ...before } };
      await inner.update(accessAssignments, one, { ...before, unusedNotice: null }, { event });
      restored += 1;
    }
    return restored;
  });
}

async function giveNotice(ctx: OutsideContext, { days, from }: UnusedSetting, size: number): Promise<number> {
  const window = { nowMs: ctx.request.nowMs, days };
  // What was dormant already when this began is left alone.
  const range = { from: windowStart(Date.parse(from), days), before: windowStart(window.nowMs, days) };
  const dormant = await nextPage(ctx, "dormantSince", range, size);
  const targets = dormant.map(({ connectorInstanceId }) => connectorInstanceId);
  const coverage = await coverageOf(ctx, targets);
  const endsAt = timestamp(window.nowMs + NOTICE);
  const isDue = (one: AccessAssignment): boolean => {
    const known = coverage.get(one.connectorInstanceId) ?? NOTHING_KNOWN;
    const endsAnyway = one.expiresAt !== null && one.expiresAt <= endsAt;
    const isOpen = one.status === "active" && one.unusedNotice === null && !endsAnyway;
    return isOpen && usageStateOf(one, known, window).usageState === "unused";
  };
  const due = dormant.filter(isDue);
  if (due.length === 0) return 0;
  return ctx.write(async (inner) => {
    const circuitBreaker = await circuitBreakerOf(inner);
    let noticed = 0;
    for (const one of await again(inner, due)) {
      if (!isDue(one) || !circuitBreaker(one.connectorInstanceId)) continue;
      const { expiresAt, isPermanent } = one;
      const unusedNotice = { at: inner.now, days, endsAt, expiresAt, isPermanent };
      const data = { ...about(one), days, endsAt };
      const event = { type: "access.assignment.unused_noticed", severity: "WARN", data } as const;
      await inner.update(accessAssignments, one, { expiresAt: endsAt, isPermanent: false, unusedNotice }, { event });
      noticed += 1;
    }
    return noticed;
  });
}

/** The same assignments as they are within the transaction. */
async function again(ctx: Context, some: readonly AccessAssignment[]): Promise<AccessAssignment[]> {
  const rows = await ctx.db.getMany(
    accessAssignments,
    some.map(({ id }) => id),
  );
  return Promise.all(rows.map((row) => ctx.current(accessAssignments, row)));
}

const about = ({ assetId, connectorInstanceId }: AccessAssignment) => ({ assetId, connectorInstanceId });

/** The most notices of an hour that are counted. With as many no more are given. */
const MOST = 1_000;

/** Whether one more assignment of a target may be given notice in this hour. The others wait for the next. */
async function circuitBreakerOf(ctx: Context): Promise<(instanceId: string) => boolean> {
  const range = { from: timestamp(ctx.request.nowMs - hoursMs(1)) };
  const { rows } = await ctx.db.find(accessAssignments, { order: ordered("noticedUnusedAt"), range, size: MOST });
  if (rows.length === MOST) return () => false;
  const recent = new Map<string, number>();
  for (const { value } of rows) recent.set(value.connectorInstanceId, (recent.get(value.connectorInstanceId) ?? 0) + 1);
  const live = await countsNow(ctx, accessAssignments, "liveOf");
  return (instanceId) => {
    const before = recent.get(instanceId) ?? 0;
    const known = Math.max(0, (live.get(instanceId) ?? 0) - before);
    if (isAnomalous({ found: 1, missing: 1, known, recent: before })) return false;
    recent.set(instanceId, before + 1);
    return true;
  };
}
