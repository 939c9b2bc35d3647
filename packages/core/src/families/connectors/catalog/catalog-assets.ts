import { assets } from "#families/estate/index.js";
import type { PageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Page } from "#kernel/records/outcome.js";
import { type ConnectorAsset, connectorAssets } from "../imports/schema.js";

/** A page of the assets that a connection has brought, the newest first. Deleted ones are left out. */
export async function assetsOf(ctx: ReadContext, connectorInstanceId: string, query: PageQuery): Promise<Page> {
  const { items, page, size, total, nextCursor } = await ctx.page(connectorAssets, query, {
    where: { connectorInstanceId },
  });
  const ids = (JSON.parse(items) as ConnectorAsset[]).map(({ assetId }) => assetId);
  const rows = ids.length > 0 ? await ctx.db.getMany(assets, [...new Set(ids)]) : [];
  const seen = await Promise.all(rows.map((row) => ctx.current(assets, row)));
  return new Page(JSON.stringify(seen), page, size, total, nextCursor);
}
