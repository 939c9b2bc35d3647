import { assets } from "../../../estate/index.js";
import { reviewAt, reviews } from "../../../reviews/index.js";
import type { Source } from "./item.js";

/** The most records that one item counts. */
const MOST = 1_000;

/** Agents in production that nobody owns. */
const agentsUnowned: Source = {
  permission: "ai-asset:read",
  async find({ db }) {
    const where = { assetType: "agent", status: "production", owned: false };
    const { length: count } = (await db.find(assets, { where, size: MOST })).rows;
    if (count === 0) return [];
    const number = count < MOST ? `${count}` : `At least ${count}`;
    const title = count === 1 ? "1 agent in production has no owner" : `${number} agents in production have no owner`;
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
    const { rows } = await db.find(reviews, {
      where: { kind: "condition" },
      order,
      range: { through: now },
      size: MOST,
    });
    const overdue = rows.filter(({ value }) => reviewAt(value, now).status === "overdue");
    const [first] = overdue;
    if (!first) return [];
    const count = overdue.length;
    const title = count === 1 ? "1 condition is not met in time" : `${count} conditions are not met in time`;
    const href = "/api/v1/reviews?kind=condition&status=overdue";
    return [{ kind: "conditions_overdue", severity: "high", title, count, href, at: first.value.dueAt }];
  },
};

export const neglectedSources: readonly Source[] = [agentsUnowned, conditionsOverdue];
