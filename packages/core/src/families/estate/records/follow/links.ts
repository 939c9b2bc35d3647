import { defineFollower, type Follower } from "#kernel/operation/area.js";
import { alignLinks } from "../../assets/relations/links.js";
import { type JoinedRecord, type RecordKind, recordLinks } from "../declare/kind.js";

/** Applies a change of a record to the relation index, and runs `follow` of its kind, in the same transaction. */
export function followRecords<R extends JoinedRecord>({ collection, references, follow }: RecordKind<R>): Follower {
  return defineFollower<R>(collection, async (ctx, { before, after }) => {
    const { id } = (after ?? before) as R;
    if (references.length > 0)
      await alignLinks(ctx, id, recordLinks(references, before), recordLinks(references, after));
    await follow?.(ctx, before, after);
  });
}
