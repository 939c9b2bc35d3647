import { type Manifest, NO_TRAIL, type ObservedProfile, type Page, type PageRequest, walk } from "#connectors/index.js";
import {
  type AccessProfile,
  type AccessResource,
  accessProfileStatus,
  accessProfiles,
  accessResources,
  type DescribedProfile,
  defaultTerms,
  profileSubject,
  readProfile,
  resourceSubject,
} from "#families/access/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { continueSync, toNextPhase } from "./continue-sync.js";
import { PAGE_SIZE, PAGES } from "./read-resources.js";
import { withProgress } from "./rules.js";
import { type AccessSync, accessSyncRuns, accessSyncs, type SyncRun } from "./schema.js";

type Ref = { readonly type: string; readonly externalId: string };
type Lister = (type: string, resource: Ref | undefined, page: PageRequest) => Promise<Page<ObservedProfile>>;

/** How profiles of a type are listed. */
export interface ProfileSource {
  readonly manifest: Manifest;
  readonly type: string;
  readonly list: Lister;
}

/** Reads some pages of profiles: those of the type, or of one resource after another. */
export async function readProfiles(ctx: OutsideContext, run: SyncRun, source: ProfileSource): Promise<SyncRun> {
  const spec = source.manifest.resourceTypes?.find(({ type }) => type === source.type);
  if (spec?.profileSource !== "per_resource") return readPages(ctx, run, source, undefined);
  const sync = await ctx.getOrThrow(accessSyncs, run.syncId);
  const { rows } = await ctx.db.find(accessResources, {
    where: { connectorInstanceId: sync.connectorInstanceId, resourceType: source.type },
    order: { direction: "asc" },
    size: 1,
    ...(run.resource === null ? {} : { after: JSON.parse(run.resource) }),
  });
  const resource = rows[0]?.value;
  if (resource) return readPages(ctx, run, source, resource);
  return ctx.write((inner) => continueSync(inner, run, (now, lease) => toNextPhase(inner, now, run, lease)));
}

async function readPages(
  ctx: OutsideContext,
  run: SyncRun,
  source: ProfileSource,
  of: AccessResource | undefined,
): Promise<SyncRun> {
  if (of && of.status !== "active") return ctx.write((inner) => continueSync(inner, run, passOver(inner, run, of)));
  let [current, pages] = [run, 0];
  const ref = of && { type: of.resourceType, externalId: of.externalId };
  const read = (page: PageRequest) => source.list(source.type, ref, page);
  const start = { cursor: run.cursor, trail: run.trail ?? NO_TRAIL, limit: PAGE_SIZE };
  for await (const { items, rejected, cursor, complete, trail } of walk(read, start)) {
    current = await ctx.write((inner) =>
      continueSync(inner, current, async (sync, lease) => {
        const counted = await storePage(inner, sync, source, of, items);
        const perType = withProgress(sync, run.type, { profiles: counted.profiles, profilesChanged: counted.changed });
        const reported = await inner.update(accessSyncs, sync, { perType }, { event: false, stamp: false });
        const isWhole = rejected.length + counted.rejected === 0 && (cursor !== null || complete);
        const profilesWhole = current.profilesWhole && isWhole;
        if (cursor === null && !of) return toNextPhase(inner, reported, { ...current, profilesWhole }, lease);
        const place = cursor === null && of ? afterResource(of) : { cursor, trail };
        return inner.update(accessSyncRuns, current, { ...place, profilesWhole, attempts: 0, dueAt: lease });
      }),
    );
    pages += 1;
    if (cursor === null || pages === PAGES) break;
  }
  return current;
}

/** Where the profiles of the next resource begin. */
const afterResource = ({ id, createdAt }: AccessResource) => ({
  resource: JSON.stringify({ by: createdAt, id }),
  cursor: null,
  trail: NO_TRAIL,
});

const passOver = (ctx: Context, run: SyncRun, of: AccessResource) => (_sync: AccessSync, lease: string) =>
  ctx.update(accessSyncRuns, run, { ...afterResource(of), dueAt: lease });

async function storePage(
  ctx: Context,
  sync: AccessSync,
  { manifest, type }: ProfileSource,
  of: AccessResource | undefined,
  listed: readonly ObservedProfile[],
) {
  const resources = await resourcesOf(ctx, sync, of, listed);
  const read = listed.flatMap((entry) => {
    const resourceId = entry.resource
      ? resources.get(resourceSubject(entry.resource.type, entry.resource.externalId))
      : (of?.id ?? null);
    const described = resourceId === undefined ? undefined : readProfile(manifest, type, entry);
    return described && resourceId !== undefined ? [{ described, resourceId }] : [];
  });
  const subject = ({ described, resourceId }: (typeof read)[number]) =>
    profileSubject(type, resourceId, described.externalId);
  const entries = [...new Map(read.map((one) => [subject(one), one])).values()];
  const { connectorInstanceId } = sync;
  const keys = entries.map((one) => ({ connectorInstanceId, subject: subject(one) }));
  const rows = keys.length > 0 ? await ctx.db.lookupMany(accessProfiles, "subject", keys) : [];
  let changed = 0;
  for (const [at, { described, resourceId }] of entries.entries()) {
    const known = rows[at]?.value;
    if (known) changed += (await seeAgain(ctx, sync, known, described)) ? 1 : 0;
    else {
      await ctx.insert(accessProfiles, draftOf(ctx, sync, type, resourceId, described));
      changed += 1;
    }
  }
  return { profiles: entries.length, changed, rejected: listed.length - read.length };
}

/** The ids of resources that entries name. */
async function resourcesOf(
  ctx: Context,
  { connectorInstanceId }: AccessSync,
  of: AccessResource | undefined,
  listed: readonly ObservedProfile[],
): Promise<ReadonlyMap<string, string>> {
  const subjects = listed.flatMap(({ resource }) =>
    resource ? [resourceSubject(resource.type, resource.externalId)] : [],
  );
  const distinct = [...new Set(subjects)];
  const own = of ? [[resourceSubject(of.resourceType, of.externalId), of.id] as const] : [];
  const wanted = distinct.filter((subject) => subject !== own[0]?.[0]);
  const rows =
    wanted.length > 0
      ? await ctx.db.lookupMany(
          accessResources,
          "subject",
          wanted.map((subject) => ({ connectorInstanceId, subject })),
        )
      : [];
  return new Map([...own, ...wanted.flatMap((subject, at) => (rows[at] ? [[subject, rows[at].id] as const] : []))]);
}

function draftOf(
  ctx: Context,
  sync: AccessSync,
  resourceType: string,
  resourceId: string | null,
  one: DescribedProfile,
) {
  return {
    ...one,
    status: "discovered" as const,
    metadata: {},
    connectorInstanceId: sync.connectorInstanceId,
    resourceType,
    resourceId,
    ...defaultTerms(one),
    approvedHash: null,
    curatedBy: null,
    curatedAt: null,
    lastSeenAt: ctx.now,
    lastSyncId: sync.id,
  };
}

/** Keeps what a known profile means now. One that was approved with another meaning waits for a new approval. */
async function seeAgain(ctx: Context, { id: lastSyncId }: AccessSync, known: AccessProfile, now: DescribedProfile) {
  const patch = { ...now, lastSeenAt: ctx.now, lastSyncId };
  const isOther = known.definitionHash !== now.definitionHash;
  const event = known.status === "removed" ? "return" : isOther && known.status === "approved" ? "alter" : undefined;
  if (event) {
    const options = { triggeredBy: "connector", patch } as const;
    await ctx.transition(accessProfiles, accessProfileStatus, known, { event }, options);
    return true;
  }
  await ctx.update(accessProfiles, known, patch, isOther ? {} : { event: false, stamp: false });
  return isOther;
}
