import type { Context } from "#kernel/operation/context.js";
import { hoursMs } from "#ports/durations.js";
import type { AssetFields } from "./fields.js";
import { type Asset, assets } from "./schema.js";

/** How old the last observation may be before use stores another one, in milliseconds. */
const OBSERVATION_AGE = hoursMs(1);
/** The most evidence that an asset keeps. */
const MOST_EVIDENCE = 50;

type Evidence = AssetFields["evidence"];

/**
 * Notes that assets are in use, at most once an hour each, so that frequent use costs no writes. It is neither a change
 * that somebody made nor an event, and `If-Match` still accepts the version before.
 */
export async function noteUse(ctx: Context, used: readonly Pick<Asset, "id" | "lastSeenAt">[]): Promise<void> {
  const old = used.filter((asset) => isOld(ctx, asset)).map(({ id }) => id);
  const rows = old.length > 0 ? await ctx.db.getMany(assets, old) : [];
  for (const row of rows.filter(({ value }) => isOld(ctx, value)))
    await noteObservation(ctx, await ctx.current(assets, row));
}

/** Notes that an asset was seen now. */
export function noteObservation(ctx: Context, asset: Asset): Promise<Asset> {
  const seen = { firstSeenAt: asset.firstSeenAt ?? ctx.now, lastSeenAt: ctx.now };
  return ctx.update(assets, asset, seen, { event: false, copy: true });
}

/** Notes that an asset was seen now, at places that add to its evidence. No event, as of any observation. */
export async function noteFound(ctx: Context, assetId: string, found: Evidence): Promise<void> {
  const asset = await ctx.getOrThrow(assets, assetId);
  const evidence = joinedEvidence(asset.evidence, found);
  const seen = { evidence, firstSeenAt: asset.firstSeenAt ?? ctx.now, lastSeenAt: ctx.now };
  await ctx.update(assets, asset, seen, { event: false, copy: true });
}

function isOld({ request }: Context, { lastSeenAt }: Pick<Asset, "lastSeenAt">): boolean {
  return lastSeenAt === null || request.nowMs - Date.parse(lastSeenAt) >= OBSERVATION_AGE;
}

/** The newest evidence of both. Of one observation that was made again, the later one. */
export function joinedEvidence(kept: Evidence, found: Evidence): Evidence {
  const known = new Set(kept.map((one) => JSON.stringify(one)));
  if (found.every((one) => known.has(JSON.stringify(one)))) return kept;
  const latest = new Map<string, Evidence[number]>();
  for (const one of [...kept, ...found]) {
    const key = JSON.stringify([one.source, one.detail]);
    const before = latest.get(key);
    if (!before || before.at <= one.at) latest.set(key, one);
  }
  return [...latest.values()].sort((one, other) => (one.at < other.at ? -1 : 1)).slice(-MOST_EVIDENCE);
}
