import { allOf, andThen, type MaybePromise } from "#kernel/async/maybe-promise.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Reference } from "../containment/edges.js";
import type { AssetFields } from "../fields.js";

/** The fields of an asset by which its record is found. */
export type Joined = Pick<AssetFields, "assetType"> & { readonly id: string };

/** What containment reads of a typed record. */
export interface RecordView {
  readonly record: object;
  readonly references: readonly Reference[];
  /** Why the record makes its asset unusable. `undefined` when it does not. */
  readonly unusable: string | undefined;
}

/** What the typed record of an asset tells about it. */
interface RecordSide {
  /** The ids of other assets that its record references. */
  references(ctx: ReadContext, asset: Joined): Promise<readonly string[]>;
  /** Why its record keeps an asset out of production. `undefined` when it does not. */
  unready(ctx: ReadContext, asset: Joined): Promise<string | undefined>;
  /** The records of assets by asset id. Types whose records neither refer to others nor can be unusable are left out. */
  views(ctx: ReadContext, assets: readonly Joined[]): MaybePromise<ReadonlyMap<string, RecordView>>;
}

/** Extension point: how records keep their assets from promotion or use. */
export const recordSides = defineExtensionPoint<RecordSide>("estate.recordSides");

/** The ids of other assets that the records of an asset reference. */
export async function referencesOf(ctx: ReadContext, asset: Joined): Promise<readonly string[]> {
  const sides = ctx.env.use(recordSides);
  return (await Promise.all(sides.map((side) => side.references(ctx, asset)))).flat();
}

/** Why a record keeps the asset out of production. `undefined` when none does. */
export async function unreadyRecord(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  for (const side of ctx.env.use(recordSides)) {
    const reason = await side.unready(ctx, asset);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** What containment reads of the records of assets, by asset id. */
export function recordViews(
  ctx: ReadContext,
  assets: readonly Joined[],
): MaybePromise<ReadonlyMap<string, RecordView>> {
  const found = allOf(ctx.env.use(recordSides).map((side) => side.views(ctx, assets)));
  return andThen(found, (all) => new Map(all.flatMap((views) => [...views])));
}
