import { assets } from "#families/estate/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { Draft } from "#kernel/records/stamps.js";
import {
  type ConnectorAsset,
  connectorAssets,
  connectorImportItems,
  type ImportItemRecord,
  subjectOf,
} from "../schema.js";
import type { Content } from "./content.js";

/** What a part of the links of an instance adds to a plan. */
interface PlannedMissing {
  readonly drafts: readonly Draft<ImportItemRecord>[];
  /** How many of them are of assets in use. */
  readonly known: number;
}

/**
 * Plans the end of assets that a complete listing lacks. Those that are retired or deleted already, or that another
 * connection has too, are left alone.
 */
export async function planMissing(
  ctx: Context,
  importId: string,
  links: readonly ConnectorAsset[],
): Promise<PlannedMissing> {
  if (links.length === 0) return { drafts: [], known: 0 };
  const keys = links.map((link) => ({ importId, subject: subjectOf(link) }));
  const seen = await ctx.db.lookupMany(connectorImportItems, "subject", keys);
  const missing = links.filter((_link, at) => !seen[at]);
  const rows =
    missing.length > 0
      ? await ctx.db.getMany(
          assets,
          missing.map(({ assetId }) => assetId),
        )
      : [];
  const inUse = new Set(rows.filter(({ value }) => value.status !== "retired").map(({ id }) => id));
  const shared = await sharedOf(ctx, [...inUse]);
  const drafts = missing
    .filter(({ assetId }) => inUse.has(assetId) && !shared.has(assetId))
    .map(({ externalId, assetType, assetId, content }) => ({
      importId,
      externalId,
      assetType,
      name: (JSON.parse(content) as Content).name,
      action: "retire" as const,
      assetId,
      matchedBy: "listing" as const,
      candidates: [],
      differences: [],
      leftOut: [],
      result: null,
      error: null,
      content: null,
    }));
  const gone = missing.filter(({ assetId }) => !inUse.has(assetId));
  return { drafts, known: links.length - gone.length };
}

/** Which of some assets several connections have. */
export async function sharedOf(ctx: Context, assetIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (assetIds.length === 0) return new Set();
  const links = await ctx.db.findTopPerKey(connectorAssets, { field: "assetId", values: [...assetIds], size: 2 });
  return new Set([...links].flatMap(([id, found]) => (found.length > 1 ? [id] : [])));
}
