import type { ObservedResource, Page, PageRequest } from "#connectors/index.js";
import { NO_TRAIL, walk } from "#connectors/index.js";
import {
  type AccessResource,
  accessResourceStatus,
  accessResources,
  type DescribedResource,
  readResource,
  resourceSubject,
} from "#families/access/index.js";
import { incompleteWith, leftOutWith } from "#families/connectors/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { continueSync, toNextPhase } from "./continue-sync.js";
import { withProgress } from "./rules.js";
import { type AccessSync, accessSyncRuns, accessSyncs, type SyncRun, type TypeProgress } from "./schema.js";

/** Pages that one step reads. Another step, perhaps of another process, goes on after them. */
export const PAGES = 10;
export const PAGE_SIZE = 200;

type Lister = (type: string, page: PageRequest) => Promise<Page<ObservedResource>>;

/** Reads some pages of resources, and stores each. Rejects with `ConnectorError`; what was stored stays. */
export async function readResources(ctx: OutsideContext, run: SyncRun, type: string, list: Lister): Promise<SyncRun> {
  let [current, pages] = [run, 0];
  const start = { cursor: run.cursor, trail: run.trail ?? NO_TRAIL, limit: PAGE_SIZE };
  for await (const listed of walk((page) => list(type, page), start)) {
    const { items, cursor, trail } = listed;
    current = await ctx.write((inner) =>
      continueSync(inner, current, async (sync, lease) => {
        const counted = await storePage(inner, sync, type, items);
        const before = sync.perType[run.type] as TypeProgress;
        const rejected = [...listed.rejected, ...counted.rejected];
        const progress = { ...counted, pages: 1, rejected: rejected.length };
        const perType = withProgress(sync, run.type, progress, {
          complete: listed.complete && before.rejected + rejected.length === 0,
          incompleteBecause: incompleteWith(before.incompleteBecause, { ...listed, rejected: rejected.length }),
          leftOut: leftOutWith(before.leftOut, { ...listed, rejected }),
        });
        const reported = await inner.update(accessSyncs, sync, { perType }, { event: false, stamp: false });
        if (cursor === null) return toNextPhase(inner, reported, current, lease);
        return inner.update(accessSyncRuns, current, { cursor, trail, attempts: 0, dueAt: lease });
      }),
    );
    pages += 1;
    if (cursor === null || pages === PAGES) break;
  }
  return current;
}

const UNUSABLE = "Its id, its name or what else it says cannot be kept.";

/** Stores a page of a listing with a few queries. An entry that comes again counts once. */
async function storePage(ctx: Context, sync: AccessSync, type: string, listed: readonly ObservedResource[]) {
  const read = listed.map((entry) => readResource(type, entry));
  const usable = read.filter((one): one is DescribedResource => one !== undefined);
  const entries = [...new Map(usable.map((one) => [one.externalId, one])).values()];
  const { connectorInstanceId } = sync;
  const keys = entries.map(({ externalId }) => ({ connectorInstanceId, subject: resourceSubject(type, externalId) }));
  const rows = keys.length > 0 ? await ctx.db.lookupMany(accessResources, "subject", keys) : [];
  const fresh = entries.filter((_entry, at) => !rows[at]);
  await ctx.insertMany(
    accessResources,
    fresh.map((entry) => draftOf(ctx, sync, type, entry)),
  );
  const counts = { seen: 0, created: fresh.length, changed: 0, restored: 0 };
  for (const [at, entry] of entries.entries()) {
    const known = rows[at]?.value;
    if (known?.lastSyncId !== sync.id) counts.seen += 1;
    const became = known ? await seeAgain(ctx, sync, known, entry) : undefined;
    if (became) counts[became] += 1;
  }
  const rejected = Array.from({ length: listed.length - usable.length }, () => ({ reason: UNUSABLE }));
  return { ...counts, rejected };
}

function draftOf(ctx: Context, sync: AccessSync, resourceType: string, entry: DescribedResource) {
  return {
    ...entry,
    status: "active" as const,
    metadata: {},
    ownerIds: [],
    managedMark: "inherit" as const,
    connectorInstanceId: sync.connectorInstanceId,
    resourceType,
    previousFingerprint: null,
    firstSeenAt: ctx.now,
    lastSeenAt: ctx.now,
    missingSince: null,
    lastSyncId: sync.id,
  };
}

/** Keeps that a known resource was seen, and what the target says otherwise now. */
async function seeAgain(
  ctx: Context,
  { id: lastSyncId }: AccessSync,
  known: AccessResource,
  entry: DescribedResource,
): Promise<"changed" | "restored" | undefined> {
  const seen = { lastSeenAt: ctx.now, lastSyncId };
  const isChanged = known.fingerprint !== entry.fingerprint;
  const patch = { ...seen, ...(isChanged ? { ...entry, previousFingerprint: known.fingerprint } : {}) };
  if (known.status !== "active") {
    const options = { triggeredBy: "connector", patch: { ...patch, missingSince: null } } as const;
    await ctx.transition(accessResources, accessResourceStatus, known, { event: "restore" }, options);
    return "restored";
  }
  await ctx.update(accessResources, known, patch, isChanged ? {} : { event: false, stamp: false });
  return isChanged ? "changed" : undefined;
}
