import { ConnectorError, type Manifest, type Page, type Principal, type UsageEvent, walk } from "#connectors/index.js";
import { accessIdentities } from "#families/access/index.js";
import { connectorCalls, instances } from "#families/connectors/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { daysMs, hoursMs } from "#ports/durations.js";
import { type Granularity, withGap } from "../rules.js";
import { type UsageFeed, usageFeeds } from "../schema.js";
import { AT_REST, nextReading } from "./schedule.js";
import { storeEvents } from "./store.js";

/** How long a process reserves a reading between two writes, in milliseconds. It is longer than a call may take. */
export const LEASE = 120_000;
/** Pages that one step reads. Another step, perhaps of another process, goes on after them. */
const PAGES = 10;
const PAGE_SIZE = 200;
/** What is read again, because targets list some events late. */
const OVERLAP = 300_000;
/** How long targets keep events that do not say so. */
const KEPT_DAYS = 7;
/** How long a reading may take before the target may have forgotten what it began with. */
const MARGIN = hoursMs(1);
/** The most identities that a target is asked for by name. */
const IDENTITIES = 1_000;

/** Reads some pages of the use of a target, and stores each. Rejects with `ConnectorError`; what was stored stays. */
export async function readUsage(env: Environment, tenantId: string, feed: UsageFeed): Promise<UsageFeed> {
  const ctx = systemContext(env, tenantId, "usage");
  const instance = (await ctx.db.get(instances, feed.connectorInstanceId))?.value;
  const manifest = instance && env.connectors.get(instance.providerKey)?.manifest;
  if (!manifest) throw new ConnectorError("config", "The instance is gone.", { code: "instance_gone" });
  const open = mayGoOn(feed, manifest, ctx.request.nowMs) ? feed : await openWindow(ctx, feed, manifest);
  const { since, until } = open;
  if (since === null || until === null) return open;
  const query = { since: dateOf(since), until: dateOf(until), ...(await principalsOf(ctx, open)) };
  const facts = { capability: "usage", correlationId: open.id } as const;
  const call = { tenantId, instanceId: open.connectorInstanceId, ...facts };
  const read = (page: { cursor?: string; limit: number }) =>
    env
      .use(connectorCalls)
      .call(
        { ...call, idempotencyKey: `${open.id} ${until} ${page.cursor ?? ""}` },
        async (on, to) => (await on.listUsage?.(to, query, page)) as Page<UsageEvent>,
      );
  let [current, pages] = [open, 0];
  const granularity: Granularity = manifest.usage?.granularity ?? "none";
  const start = { cursor: open.cursor, trail: open.trail, limit: PAGE_SIZE };
  for await (const { items, rejected, cursor, complete, trail } of walk(read, start)) {
    current = await ctx.write((inner) =>
      goOn(inner, current, async (held, dueAt) => {
        const stored = await storeEvents(inner, held, granularity, items);
        const incomplete = cursor === null && !complete ? "incomplete" : null;
        const bad = rejected.length > 0 ? "rejected" : null;
        const fault = held.fault ?? stored ?? bad ?? incomplete;
        const next = cursor === null ? await closed(inner, held, fault) : { cursor, trail, fault, dueAt };
        return inner.update(usageFeeds, held, { ...next, attempts: 0, failure: null });
      }),
    );
    pages += 1;
    // What is stored is due again later. This reading is over.
    if (cursor === null) return { ...current, dueAt: null };
    if (pages === PAGES) return current;
  }
  throw new ConnectorError("invalid", "The target's listing has no end.", { code: "no_last_page" });
}

const dateOf = (time: string) => new Date(Date.parse(time));

/** Does the next write within its transaction, if this process still holds the reading. */
async function goOn(
  ctx: Context,
  feed: UsageFeed,
  step: (held: UsageFeed, lease: string) => Promise<UsageFeed>,
): Promise<UsageFeed> {
  const held = (await ctx.db.get(usageFeeds, feed.id))?.value;
  if (held?.version !== feed.version) throw new ReeveError("concurrent_modification");
  return step(held, timestamp(ctx.request.nowMs + LEASE));
}

const daysKept = ({ usage }: Manifest) => usage?.retentionDays ?? KEPT_DAYS;

/** Whether a reading is under way whose beginning the target still knows. */
const mayGoOn = ({ since }: UsageFeed, manifest: Manifest, nowMs: number) =>
  since !== null && Date.parse(since) >= nowMs - daysMs(daysKept(manifest));

/** Stores which time is read now. What the target has forgotten meanwhile is a gap. */
function openWindow(ctx: OutsideContext, feed: UsageFeed, manifest: Manifest): Promise<UsageFeed> {
  return ctx.write((inner) =>
    goOn(inner, feed, async (held, dueAt) => {
      const { nowMs } = inner.request;
      const until = timestamp(nowMs - (manifest.usage?.lagSeconds ?? 0) * 1_000);
      const { gaps, since } = beginningOf(held, manifest, nowMs, until);
      if (since < until) return inner.update(usageFeeds, held, { ...AT_REST, gaps, since, until, dueAt });
      const { coveredFrom, coveredThrough } = held;
      const known = { coveredFrom: coveredFrom ?? until, coveredThrough: coveredThrough ?? until };
      const next = { ...AT_REST, ...known, gaps, dueAt: await nextReading(inner, held.connectorInstanceId) };
      return { ...(await inner.update(usageFeeds, held, next)), dueAt: null };
    }),
  );
}

/** Where the next reading begins. The first one begins as far back as the target says that it remembers. */
function beginningOf({ coveredThrough: through, gaps }: UsageFeed, manifest: Manifest, nowMs: number, until: string) {
  const kept = timestamp(nowMs - daysMs(daysKept(manifest)) + MARGIN);
  if (through === null) return { gaps, since: manifest.usage?.retentionDays === undefined ? until : kept };
  if (through < kept) return { gaps: withGap(gaps, { from: through, to: kept, reason: "lost" }, nowMs), since: kept };
  return { gaps, since: timestamp(Date.parse(through) - OVERLAP) };
}

/** A time that was read to its end. */
async function closed(ctx: Context, feed: UsageFeed, fault: UsageFeed["fault"]) {
  const { nowMs } = ctx.request;
  const { since, until, gaps, coveredFrom, connectorInstanceId } = feed;
  const [from, to] = [since as string, until as string];
  return {
    ...AT_REST,
    coveredFrom: coveredFrom ?? from,
    coveredThrough: to,
    gaps: fault === null ? gaps : withGap(gaps, { from, to, reason: fault }, nowMs),
    dueAt: await nextReading(ctx, connectorInstanceId),
  };
}

/** Who is asked for: the identities that are known here. */
async function principalsOf(
  ctx: OutsideContext,
  { connectorInstanceId }: UsageFeed,
): Promise<{ readonly principals?: readonly Principal[] }> {
  const found = await ctx.db.find(accessIdentities, { where: { connectorInstanceId }, size: IDENTITIES });
  if (found.next) return {};
  return {
    principals: found.rows.map(({ value }) => {
      const { type, externalId } = value.principal;
      return { type, externalId };
    }),
  };
}
