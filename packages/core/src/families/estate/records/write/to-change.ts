import { entityTag, matches } from "#kernel/http/version-condition.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { shownOf } from "#kernel/records/outcome.js";
import { expiryOf } from "../../assets/machine.js";
import { assets } from "../../assets/schema.js";
import type { JoinedRecord, RecordKind } from "../declare/kind.js";

/** A record as it is now. An expired approval of its asset is stored first and copied to the record. */
export async function withExpiry<R extends JoinedRecord>(
  ctx: Context,
  collection: Collection<R>,
  record: R,
): Promise<R> {
  if ((expiryOf(record) ?? "~") > ctx.now) return record;
  await ctx.getOrThrow(assets, record.assetId);
  return ctx.getOrThrow(collection, record.id);
}

/**
 * The record as the caller last saw it, to compare read-only values in a body. If `If-Match` accepts an earlier
 * version, those values are taken from the body.
 */
export function readAs<R extends JoinedRecord>(
  { now, request: { ifMatch } }: ReadContext,
  { collection, readOnlyNames }: RecordKind<R>,
  record: R,
  body: GenericBody,
): object {
  const earlier = shownOf(record);
  const shown = earlier === record ? (collection.derive?.(record, now) ?? record) : earlier;
  if (ifMatch === undefined || matches(ifMatch, entityTag(record.version))) return shown;
  return { ...shown, ...Object.fromEntries(Object.entries(body).filter(([name]) => readOnlyNames.includes(name))) };
}
