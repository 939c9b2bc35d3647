import { unseenAccess } from "#families/access-overview/index.js";
import type { Source } from "./item.js";

/** Access whose targets do not show it, or do not show that it is gone. */
export const unseenSource: Source = {
  permission: "access:read",
  async find(ctx) {
    const unseen = await unseenAccess(ctx);
    if (!unseen) return [];
    const { value: count, since: at } = unseen;
    const title =
      count === 1
        ? "The target of 1 assignment does not show whether it has it"
        : `The targets of ${count} assignments do not show whether they have them`;
    const href = "/api/v1/access-assignments?targetState=unknown";
    return [{ kind: "access_not_shown", severity: "medium", title, count, href, at }];
  },
};
