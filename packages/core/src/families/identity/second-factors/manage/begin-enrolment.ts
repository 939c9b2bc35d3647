import type { z } from "zod";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { userPrincipal } from "../../sessions/start-session.js";
import { openChallenge } from "../prove/challenge.js";
import { demandOf } from "../prove/demand-factor.js";
import type { ENROLLED, EnrolmentBegun } from "../schema.js";
import { beginFactor, newTotp } from "./enrol.js";
import { newPasskey } from "./enrol-passkey.js";

/** Begins to set up the factor that a sign-in waits for. 409 where one is there already, or none is demanded. */
export async function beginEnrolment(
  ctx: OutsideContext,
  challenge: string,
  method: (typeof ENROLLED)[number] = "totp",
): Promise<z.output<typeof EnrolmentBegun>> {
  const challenged = await openChallenge(ctx, challenge);
  const demand = await demandOf(ctx, challenged);
  if (!demand?.enrol.includes(method))
    throw new ReeveError("already_exists", "A factor is there already, or none is demanded.");
  const { tenantId, value: user } = challenged.row;
  const { factor, shown } =
    method === "totp" ? await newTotp(ctx, tenantId, user) : await newPasskey(ctx, tenantId, user, "Passkey");
  await ctx.write((inner) => beginFactor(inner, user, factor), userPrincipal(ctx, tenantId, user));
  return shown;
}
