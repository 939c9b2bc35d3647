import { defineFollower, type Follower } from "../../../../kernel/operation/area.js";
import { alignLinks } from "../../assets/relations/links.js";
import { type JoinedRecord, type RecordKind, recordLinks } from "../declare/kind.js";

/** Carries a change of a record over to the relation index and to what else its kind keeps with it, in the same transaction. */
export function followRecords<R extends JoinedRecord>({ collection, references, follow }: RecordKind<R>): Follower {
  return defineFollower<R>(collection, async (ctx, { before, after }) => {
    const { id } = (after ?? before) as R;
    if (references.length > 0)
      await alignLinks(ctx, id, recordLinks(references, before), recordLinks(references, after));
    await follow?.(ctx, before, after);
  });
}
