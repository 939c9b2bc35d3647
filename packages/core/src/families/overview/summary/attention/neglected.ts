import { assets } from "#families/estate/index.js";
import { reviewAt, reviews } from "#families/reviews/index.js";
import type { Collection } from "#kernel/records/collection.js";
import type { StoredRecord } from "#store/collection.js";
import type { FindQuery, Position } from "#store/find-query.js";
import type { Reader } from "#store/store.js";
import type { Source } from "./item.js";

/** The most records that one item counts. */
const MOST = 1_000;
/** The most pages of a query that looks at more records than it finds. */
const PAGES = 4;

/** The first records of a query, and whether there may be more. */
async function firstOf<R extends StoredRecord>(
  db: Reader,
  collection: Collection<R>,
  query: Omit<FindQuery, "after" | "size">,
): Promise<{ readonly found: readonly R[]; readonly hasMore: boolean }> {
  const found: R[] = [];
  let after: Position | undefined;
  for (let page = 0; page < PAGES && found.length < MOST; page += 1) {
    const { rows, next } = await db.find(collection, { ...query, size: MOST, ...(after ? { after } : {}) });
    found.push(...rows.map(({ value }) => value));
    after = next;
    if (!next) break;
  }
  return { found, hasMore: after !== undefined };
}

/** Agents in production that nobody owns. */
const agentsUnowned: Source = {
  permission: "ai-asset:read",
  async find({ db }) {
    const where = { assetType: "agent", status: "production", owned: false };
    const { found, hasMore } = await firstOf(db, assets, { where });
    const count = found.length;
    if (count === 0) return [];
    const number = hasMore ? `At least ${count}` : `${count}`;
    const title =
      count === 1 && !hasMore ? "1 agent in production has no owner" : `${number} agents in production have no owner`;
    const href = "/api/v1/ai-assets?assetType=agent&status=production&owned=false";
    return [{ kind: "agents_unowned", severity: "high", title, count, href, at: null }];
  },
};

/** Conditions of approvals that are not met in time. */
const conditionsOverdue: Source = {
  permission: "ai-asset:read",
  async find({ db, now, principal }) {
    if (!principal.permissions.has("review:read")) return [];
    const order = { by: "dueAt", direction: "asc" } as const;
    const { found, hasMore } = await firstOf(db, reviews, {
      where: { kind: "condition" },
      order,
      range: { through: now },
    });
    const overdue = found.filter((review) => reviewAt(review, now).status === "overdue");
    const [first] = overdue;
    if (!first) return [];
    const count = overdue.length;
    const number = hasMore ? `At least ${count}` : `${count}`;
    const title =
      count === 1 && !hasMore ? "1 condition is not met in time" : `${number} conditions are not met in time`;
    const href = "/api/v1/reviews?kind=condition&status=overdue";
    return [{ kind: "conditions_overdue", severity: "high", title, count, href, at: first.dueAt }];
  },
};

export const neglectedSources: readonly Source[] = [agentsUnowned, conditionsOverdue];
