import { t } from "../../texts/index.js";
import type { WorkKind } from "../../work/work.js";
import type { Bulk } from "./bulk/decisions.js";

/** Decides several reviews one after another. It is about the person who does. */
export const bulkDecision: WorkKind<string, Bulk> = {
  name: "bulk decision",
  onClosing: t.work.onClosing.asks,
  resumes: false,
  stale: ["review", "me"],
  load: () => import("./bulk/decide-bulk.js"),
  shows({ id, state: { decisions } }) {
    const done = decisions.filter(({ state }) => state === "decided").length;
    const refused = decisions.filter(({ state }) => state === "refused").length;
    return {
      title: t.inbox.bulk.title(decisions.length),
      says: t.inbox.bulk.says(done, refused, decisions.length),
      done: done + refused,
      total: decisions.length,
      link: { to: "/inbox/together/$workId", params: { workId: id } },
    };
  },
};
