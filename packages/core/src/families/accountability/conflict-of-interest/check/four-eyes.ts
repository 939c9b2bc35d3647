import { tenantSettings } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import type { FourEyesCheck, Matter } from "#kernel/operation/four-eyes.js";
import { flagDecision, settleDecision } from "../../flagged/flag-decision.js";
import { readFacts } from "../judge/read-facts.js";
import { judgeDecider } from "../rules.js";

/**
 * Refuses a decision with a conflict of interest. Refuses that of a related party, or flags it, as the tenant has set.
 * Refuses machines.
 */
export const checkFourEyes: FourEyesCheck = async (ctx: Context, matter: Matter): Promise<boolean> => {
  const { kind, userId, username } = ctx.principal;
  if (kind === "client")
    throw new ReeveError("permission_denied", `"${matter.act}" is a decision that only people take.`);
  const { known, cut } = await readFacts(ctx, [userId, ...matter.involved.ids]);
  const { verdict, path } = judgeDecider({ decider: { id: userId, username }, involved: matter.involved, known, cut });
  if (verdict === "conflict_of_interest")
    throw new ReeveError(
      "self_approval_forbidden",
      `"${matter.act}" must be done by someone who neither asked for it, changed it nor owns it: ${path}.`,
    );
  if (verdict === "independent") {
    await settleDecision(ctx, matter);
    return false;
  }
  if (tenantSettings(ctx).relatedParty === "refuse")
    throw new ReeveError("related_party_forbidden", `"${matter.act}" must be done by someone unrelated: ${path}.`);
  await flagDecision(ctx, matter, path ?? "");
  return true;
};
