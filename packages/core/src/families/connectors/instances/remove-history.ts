import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import { instances } from "./schema.js";

/** 404 unless there is an instance, or was one of which these records tell. What it did can be read after its end. */
export async function requireHistory<R extends StoredRecord & { readonly connectorInstanceId: string }>(
  ctx: ReadContext,
  id: string,
  records: Collection<R>,
): Promise<void> {
  if (await ctx.db.get(instances, id)) return;
  const { rows } = await ctx.db.find(records, { where: { connectorInstanceId: id }, size: 1 });
  if (rows.length === 0) throw new ReeveError("not_found");
}
