import { t } from "../../texts/index.js";
import type { WorkKind } from "../../work/work.js";
import type { BackTested, BackTestOf } from "./page/run-back-test.js";

/** Tells what a policy would have said. The server computes it within one request. */
export const backTesting: WorkKind<BackTestOf, BackTested> = {
  name: "back-test",
  onClosing: t.work.onClosing.anew,
  resumes: true,
  stale: [],
  load: () => import("./page/run-back-test.js"),
  shows: ({ input: { policyId, name, days }, status }) => ({
    title: t.policies.backTest.titleOf(name),
    says: t.policies.backTest.lastDays(days),
    done: status === "done" ? 1 : 0,
    total: null,
    link: { to: "/policies/$policyId", params: { policyId }, search: { tab: "backTest", days } },
  }),
};
