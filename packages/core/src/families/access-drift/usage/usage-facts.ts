import { type AccessFacts, accessFacts } from "#families/access-reviews/index.js";
import { extend } from "#kernel/config/extension.js";
import { USAGE_DAYS, usageStateOf } from "./rules.js";
import { coverageOf, NOTHING_KNOWN } from "./usage-coverage.js";

/** Tells reviewers whether access is used. What nobody can tell is left out. */
export const usageFacts = extend(accessFacts, async (ctx, some) => {
  const coverage = await coverageOf(
    ctx,
    some.map(({ connectorInstanceId }) => connectorInstanceId),
  );
  const window = { nowMs: ctx.request.nowMs, days: USAGE_DAYS };
  return new Map(
    some.map((one): [string, AccessFacts] => {
      const { usageState } = usageStateOf(one, coverage.get(one.connectorInstanceId) ?? NOTHING_KNOWN, window);
      return [one.id, usageState === "unknown" ? {} : { usageState }];
    }),
  );
});
