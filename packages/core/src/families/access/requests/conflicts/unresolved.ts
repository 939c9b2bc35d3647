import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { policiesInForce } from "../../policies/plan/in-force.js";
import type { AccessRequest, Conflict } from "../schema.js";
import { profilesOf } from "./holdings.js";
import { lookAtConflicts } from "./look.js";

/** What a request conflicts with at this moment, and that nobody has permitted. Warnings are not among it. */
export async function unresolvedConflicts(ctx: ReadContext, request: AccessRequest): Promise<Conflict[]> {
  const profiles = await profilesOf(ctx, [...new Set(request.items.map(({ accessProfileId }) => accessProfileId))]);
  const { conflicts } = await lookAtConflicts(ctx, await policiesInForce(ctx), request, profiles);
  const exempted = new Set(request.exemptions.filter(({ expiresAt }) => expiresAt > ctx.now).map(({ rule }) => rule));
  return conflicts.filter(
    ({ onHit, rule }) => onHit === "deny" || (onHit === "require_exemption" && !exempted.has(rule)),
  );
}
