import { assetsOfLeavers } from "#families/estate/index.js";
import type { Source } from "./item.js";

/** Assets of users who are disabled, with the list of exactly those. */
export const leaversSource: Source = {
  permission: "ai-asset:read",
  async find(ctx) {
    const { owners, count, hasMore } = await assetsOfLeavers(ctx);
    if (count === 0) return [];
    const number = hasMore ? `At least ${count}` : `${count}`;
    const title =
      count === 1 && !hasMore ? "1 asset belongs to a disabled user" : `${number} assets belong to disabled users`;
    const href = `/api/v1/ai-assets?owner=${owners.join(",")}`;
    return [{ kind: "assets_of_leavers", severity: "high", title, count, href, at: null }];
  },
};
