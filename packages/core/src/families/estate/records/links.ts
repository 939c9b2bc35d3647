import type { Context } from "../../../kernel/context.js";
import { alignLinks } from "../assets/links.js";
import { type AssetReference, type JoinedRecord, recordLinks } from "./kind.js";

/** Carries a change of a record's reference fields over to the relation index, in the same transaction. */
export function alignReferences(
  ctx: Context,
  references: readonly AssetReference[],
  before: JoinedRecord | undefined,
  after: JoinedRecord | undefined,
): Promise<void> {
  const { id } = (after ?? before) as JoinedRecord;
  return alignLinks(ctx, id, recordLinks(references, before), recordLinks(references, after));
}
