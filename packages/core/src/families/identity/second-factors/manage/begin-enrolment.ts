import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { userPrincipal } from "../../sessions/start-session.js";
import { openChallenge } from "../prove/challenge.js";
import { demandOf } from "../prove/demand-factor.js";
import { beginFactor, newTotp } from "./enrol.js";

/** Begins to set up the factor that a sign-in waits for. 409 where one is there already, or none is demanded. */
export async function beginEnrolment(ctx: OutsideContext, challenge: string) {
  const challenged = await openChallenge(ctx, challenge);
  const demand = await demandOf(ctx, challenged);
  if (!demand?.enrol.includes("totp"))
    throw new ReeveError("already_exists", "A factor is there already, or none is demanded.");
  const { tenantId, value: user } = challenged.row;
  const { factor, shown } = await newTotp(ctx, tenantId, user);
  await ctx.write((inner) => beginFactor(inner, user, factor), userPrincipal(ctx, tenantId, user));
  return shown;
}
