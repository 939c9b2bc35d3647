import { type Asset, assets, RECORD_KINDS } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { recordFields } from "#kernel/records/record.js";
import type { StoredRecord } from "#store/collection.js";
import { readableTo } from "../../names/queries.js";
import type { AnyReviewKind } from "../review-kind.js";
import type { Review } from "../schema.js";

/** A record that is decided about, and the fields whose changes are told. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: records of different kinds stand in one list
  readonly collection: Collection<any>;
  readonly record: StoredRecord;
  readonly tells: (field: string) => boolean;
}

/** What Reeve keeps of records for itself, and what follows from a decision. */
const KEPT = new Set([
  ...Object.keys(recordFields),
  ...["editVersion", "involved", "relatedParty", "requestedBy", "submittedBy", "approvedBy", "approvedAt"],
]);

/** The records of a review: its subject, and the technical side of an asset. `hidden` are kinds that the caller may not see. */
export async function subjectsOf(
  ctx: ReadContext,
  { subject }: Review,
  kind: AnyReviewKind,
): Promise<{ readonly told: readonly Told[]; readonly hidden: readonly string[] }> {
  const { collection, tells } = kind;
  const row = kind.subject ? undefined : await ctx.db.get(collection, subject.id);
  if (!row) return { told: [], hidden: [] };
  const record: StoredRecord = ctx.derived(collection, row);
  const own: Told = { collection, record, tells: (field) => (tells ? tells.includes(field) : !KEPT.has(field)) };
  const side = collection.name === assets.name ? sideOf(record as Asset) : undefined;
  if (!side) return { told: [own], hidden: [] };
  const type = side.collection.resource?.type ?? "";
  if (!readableTo(ctx)(type)) return { told: [own], hidden: [type] };
  const other = await ctx.db.get(side.collection, side.id);
  if (!other) return { told: [own], hidden: [] };
  const fields = Object.keys(side.fields.shape);
  const joined: Told = {
    ...{ collection: side.collection, record: ctx.derived(side.collection, other) },
    tells: (field) => fields.includes(field),
  };
  return { told: [own, joined], hidden: [] };
}

/** The technical side of an asset: where it is, and the fields that people set in it. */
function sideOf({ assetType, record }: Asset) {
  const kind = record && RECORD_KINDS.find((one) => one.assetType === assetType);
  return kind ? { id: record.id, collection: kind.collection, fields: kind.fields } : undefined;
}
