import type { Collection } from "../../../../kernel/records/collection.js";
import { timestamp } from "../../../../ports/clock.js";
import { fieldValue, type StoredRecord } from "../../../../store/collection.js";
import { assets, identities } from "../../../estate/index.js";
import type { Source } from "./item.js";

const DAYS = 30;
const NAMED = 25;

interface Named extends StoredRecord {
  readonly name: string;
}

/** Records that expire within thirty days, with the first one named. */
function expiring<R extends Named>(permission: string, collection: Collection<R>, kind: string, what: string): Source {
  const by = "expiresAt";
  return {
    permission,
    async find(ctx) {
      const range = {
        from: ctx.now,
        before: timestamp(ctx.request.nowMs + DAYS * 86_400_000),
      };
      const { rows } = await ctx.db.find(collection, { order: { by, direction: "asc" }, range, size: NAMED });
      const found = rows.map(({ value }) => ({
        kind,
        severity: "medium" as const,
        title: `${what} of "${value.name}" runs out`,
        count: 1,
        href: `${collection.resource?.path}/${value.id}`,
        at: fieldValue(collection, value, by) as string | null,
      }));
      // A record that expires at this moment has already expired.
      return found.filter(({ at }) => at !== ctx.now);
    },
  };
}

export const expiringSources: readonly Source[] = [
  expiring("ai-asset:read", assets, "approval_expiring", "The approval"),
  expiring("ai-identity:read", identities, "identity_expiring", "The credential"),
];
