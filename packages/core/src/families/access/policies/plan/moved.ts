import { assets } from "#families/estate/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { couldCover } from "../rules.js";
import { policiesInForce } from "./in-force.js";

/**
 * 403 where a change takes an asset out of what a policy denies or has people approve, or into what one allows without them. Whoever
 * answers for an asset says what it is used for; that a stricter rule holds no more is said by who may take assets back from production.
 */
export const holdCovered = defineFollower(assets, async (ctx, { before, after }) => {
  if (!before || !after || ctx.principal.kind === "system") return;
  if (before.environment === after.environment && before.assetType === after.assetType) return;
  const loosens = (await policiesInForce(ctx)).some(({ effect, covers }) => {
    const [was, is] = [couldCover(covers, before), couldCover(covers, after)];
    return effect === "allow" ? is && !was : was && !is;
  });
  if (loosens) requirePermission(ctx.env, ctx.principal, "ai-asset:promote");
});
