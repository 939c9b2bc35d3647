import { PRINCIPAL_TYPES, type UsageEvent } from "#connectors/index.js";
import { type AccessIdentity, accessIdentities, principalSubject } from "#families/access/index.js";
import { type AccessAssignment, accessAssignments } from "#families/access-grants/index.js";
import { optionsOf } from "#families/options.js";
import type { Context } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { recordUses, type UseDraft } from "../record-usage.js";
import { type Granularity, mayBeUseOf, readableUse, SKEW, windowStart } from "../rules.js";
import { accessUses, type UsageFeed } from "../schema.js";

/** The most identities of one principal, and the most live assignments of one identity, that are looked at. */
const IDENTITIES = 50;
const ASSIGNMENTS = 500;

const Text = z.string().min(1).max(500);
const Listed = z.object({
  externalEventId: Text,
  at: z.date(),
  principal: z.object({ type: z.enum(PRINCIPAL_TYPES), externalId: Text }),
  resource: z.object({ type: Text, externalId: Text }).optional(),
  profileExternalId: Text.optional(),
  action: Text,
  count: z.int().min(1).max(1_000_000_000).optional(),
});

type Use = Omit<z.output<typeof Listed>, "at"> & { readonly at: string };

/** Reads an event of a listing; `undefined` when it cannot be used. */
function readEvent(entry: UsageEvent, nowMs: number): Use | undefined {
  const { success, data } = Listed.safeParse(entry);
  if (!success || data.at.getTime() > nowMs + SKEW) return undefined;
  const action = nameOf(data.action.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " "));
  return { ...data, action, at: timestamp(data.at.getTime()) };
}

/**
 * Stores a page of events with a few queries. Those that were stored before are left out, as are those of principals
 * that nobody here acts as. Returns why the page leaves a gap.
 */
export async function storeEvents(
  ctx: Context,
  feed: UsageFeed,
  granularity: Granularity,
  listed: readonly UsageEvent[],
): Promise<UsageFeed["fault"]> {
  const { nowMs } = ctx.request;
  const read = listed.map((entry) => readEvent(entry, nowMs));
  const usable = read.filter((one): one is Use => one !== undefined);
  const fault = usable.length < listed.length ? "rejected" : null;
  const days = optionsOf(ctx.env).activityRetentionDays;
  const kept = days === undefined ? usable : usable.filter(({ at }) => at >= windowStart(nowMs, days));
  const fresh = await unknownOf(ctx, feed, [...new Map(kept.map((one) => [one.externalEventId, one])).values()]);
  if (fresh.length === 0) return fault;
  const known = await actorsOf(ctx, feed, fresh);
  const drafts = fresh.flatMap((use) =>
    entriesOf(feed, use, readableUse(use, granularity), known.get(sharedOf(feed, use)) ?? []),
  );
  if (drafts.length > 0) await recordUses(ctx, drafts);
  const cut = [...known.values()].flat().some(({ assignments }) => assignments.length === ASSIGNMENTS);
  return fault ?? (cut ? "too_many" : null);
}

const sharedOf = ({ connectorInstanceId }: UsageFeed, { principal }: Pick<Use, "principal">) =>
  `${connectorInstanceId} ${principalSubject(principal)}`;

async function unknownOf(ctx: Context, { connectorInstanceId }: UsageFeed, uses: readonly Use[]): Promise<Use[]> {
  if (uses.length === 0) return [];
  const keys = uses.map(({ externalEventId }) => ({ connectorInstanceId, externalEventId, part: 0 }));
  const rows = await ctx.db.lookupMany(accessUses, "event", keys);
  return uses.filter((_use, index) => rows[index] === undefined);
}

/** An asset that acts as a principal, with its access that is not over. */
interface Acting {
  readonly identity: AccessIdentity;
  readonly assignments: readonly AccessAssignment[];
}

/** Who acts as the principals of some uses. */
async function actorsOf(ctx: Context, feed: UsageFeed, uses: readonly Use[]): Promise<Map<string, Acting[]>> {
  const values = [...new Set(uses.map((use) => sharedOf(feed, use)))];
  const identities = await ctx.db.findTopPerKey(accessIdentities, { field: "shared", values, size: IDENTITIES });
  const ids = [...identities.values()].flat().map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await ctx.db.findTopPerKey(accessAssignments, { field: "liveAs", values: ids, size: ASSIGNMENTS });
  const actingOf = (identity: AccessIdentity): Acting => ({
    identity,
    assignments: (found.get(identity.id) ?? []).map(({ value }) => value),
  });
  return new Map([...identities].map(([shared, rows]) => [shared, rows.map(({ value }) => actingOf(value))]));
}

/** One entry for each access that may have been used; without any, one for each asset that acts as the principal. */
function entriesOf({ connectorInstanceId }: UsageFeed, use: Use, seen: Use, acting: readonly Acting[]): UseDraft[] {
  const { at, action, count = 1, externalEventId } = use;
  const fitting = acting.flatMap(({ identity, assignments }) => {
    const some = assignments.filter((one) => mayBeUseOf(seen, one));
    return some.map((one, index) => ({ identity, one, primary: index === 0 }));
  });
  const attribution = fitting.length === 0 ? "none" : fitting.length === 1 ? "exact" : "shared";
  const entries =
    fitting.length > 0 ? fitting : acting.map(({ identity }) => ({ identity, one: undefined, primary: true }));
  return entries.map(({ identity, one, primary }, part) => ({
    ...{ at, action, count, externalEventId, connectorInstanceId, attribution, primary, part },
    ...{ assetId: identity.assetId, identityId: identity.id, assignmentId: one?.id ?? null },
    ...{ grantKey: one?.grantKey ?? null, resourceId: one?.resourceId ?? null },
    ...{ tool: null, outcome: "success", denyCode: null, latencyMs: null, argsHash: null, bytesIn: null },
    ...{ bytesOut: null, sessionId: null, tokenId: null, traceId: null, actors: [] },
    ...{ source: "connector", synthetic: false },
  }));
}
