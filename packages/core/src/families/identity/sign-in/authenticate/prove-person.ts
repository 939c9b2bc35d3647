import type { z } from "zod";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { adoptFactor, confirmingTotp } from "../../second-factors/manage/enrol.js";
import { confirmingPasskey } from "../../second-factors/manage/enrol-passkey.js";
import { type Challenged, openChallenge } from "../../second-factors/prove/challenge.js";
import { demandOf, factorRequired } from "../../second-factors/prove/demand-factor.js";
import { type FactorAnswer, isAnswered, proveFactor, wrongCode } from "../../second-factors/prove/prove-factor.js";
import { factorsOf } from "../../second-factors/queries.js";
import { hasFactor } from "../../second-factors/rules.js";
import { type ProvenPassword, type ProvenPerson, userPrincipal } from "../../sessions/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import type { SignIn } from "../schema.js";
import { provePassword } from "./passwords.js";

/**
 * The only door by which people sign in with a password of Reeve: name and password, or the challenge that came of them,
 * and a second factor where one is demanded. 401 `second_factor_required` with a challenge while it is missing.
 */
export async function provePerson(ctx: OutsideContext, body: z.output<typeof SignIn>): Promise<ProvenPerson> {
  const proven = await firstProof(ctx, body);
  const demand = await demandOf(ctx, proven);
  if (!demand) return { ...proven, factor: null };
  if (!isAnswered(body)) throw await factorRequired(ctx, proven, demand);
  if (hasFactor(demand.factors)) return { ...proven, factor: await proveFactor(ctx, proven, body) };
  return enrolled(ctx, proven, body);
}

function firstProof(ctx: OutsideContext, body: z.output<typeof SignIn>): Promise<ProvenPassword | Challenged> {
  const { username, password, tenant, challenge } = body;
  if (challenge !== undefined) return openChallenge(ctx, challenge);
  if (username !== undefined && password !== undefined) return provePassword(ctx, { username, password, tenant });
  const missing = { username, password };
  const errors = (["username", "password"] as const)
    .filter((name) => missing[name] === undefined)
    .map((name) => ({ pointer: `/${name}`, code: "invalid_request", message: "Wanted, unless `challenge` is sent." }));
  throw new ReeveError("invalid_request", undefined, { errors });
}

/** Confirms the factor that was set up with the challenge in hand. */
async function enrolled(
  ctx: OutsideContext,
  { row, securityVersion }: ProvenPassword,
  { code, passkey }: FactorAnswer,
): Promise<ProvenPerson> {
  if (code === undefined && passkey === undefined) throw wrongCode();
  const { tenantId, value: user } = row;
  const confirm = passkey
    ? await confirmingPasskey(ctx, tenantId, user.id, passkey)
    : await confirmingTotp(ctx, tenantId, user.id, code ?? "");
  const adopted = await ctx.write(
    async (inner) => {
      const credential = (await inner.db.get(credentials, user.id))?.value;
      // Somebody else may have set one up with the same password meanwhile.
      if (credential?.securityVersion !== securityVersion || hasFactor(await factorsOf(inner.db, user.id)))
        throw wrongCode();
      return adoptFactor(inner, user, confirm);
    },
    userPrincipal(ctx, tenantId, user),
  );
  return { row, securityVersion, factor: passkey ? "passkey" : "totp", ...adopted };
}
