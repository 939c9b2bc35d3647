import { defineExtensionPoint } from "../../../../kernel/config/extension.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import type { AssetFields } from "../fields.js";

/** An asset as far as its record is found by it. */
export type Joined = Pick<AssetFields, "assetType"> & { readonly id: string };

/** What the typed records of assets say of them. */
interface RecordSide {
  /** The ids of other assets that the record of an asset names. */
  references(ctx: ReadContext, asset: Joined): Promise<readonly string[]>;
  /** What of its record keeps an asset out of production; `undefined` when nothing does. */
  unready(ctx: ReadContext, asset: Joined): Promise<string | undefined>;
  /** Why their records keep assets from being used, by the ids of those that they do. */
  unusable(ctx: ReadContext, assets: readonly Joined[]): Promise<ReadonlyMap<string, string>>;
}

/** Where records say what keeps their assets from being promoted or used. */
export const recordSides = defineExtensionPoint<RecordSide>("estate.recordSides");

/** The ids of other assets that the records of an asset name. */
export async function referencesOf(ctx: ReadContext, asset: Joined): Promise<readonly string[]> {
  const sides = ctx.env.use(recordSides);
  return (await Promise.all(sides.map((side) => side.references(ctx, asset)))).flat();
}

/** What of its records keeps an asset out of production; `undefined` when nothing does. */
export async function unreadyRecord(ctx: ReadContext, asset: Joined): Promise<string | undefined> {
  for (const side of ctx.env.use(recordSides)) {
    const reason = await side.unready(ctx, asset);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why their records keep assets from being used, by the ids of those that they do. */
export async function unusableRecords(
  ctx: ReadContext,
  assets: readonly Joined[],
): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(ctx.env.use(recordSides).map((side) => side.unusable(ctx, assets)));
  return new Map(found.flatMap((reasons) => [...reasons]));
}
