import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Method } from "../../sessions/schema.js";
import type { ProvenPassword } from "../../sessions/start-session.js";
import { factorsOf, isRequired } from "../queries.js";
import { hasFactor, methodsOf } from "../rules.js";
import { ENROLLED, type SecondFactor } from "../schema.js";
import { sealChallenge } from "./challenge.js";
import { passkeySite, passkeysAmong, passkeysOf } from "./use-passkeys.js";

/** What somebody who has proven a password must do besides. */
export interface Demand {
  readonly factors: readonly SecondFactor[];
  readonly methods: readonly Method[];
  /** What they can set up now, because they have nothing yet. */
  readonly enrol: readonly (typeof ENROLLED)[number][];
}

/** What is demanded besides the password; `undefined` for nothing. */
export async function demandOf(ctx: ReadContext, { row }: ProvenPassword): Promise<Demand | undefined> {
  const reader = ctx.env.store.forTenant(row.tenantId);
  const factors = await factorsOf(reader, row.id);
  const { passkeys } = ctx.env;
  if (hasFactor(factors)) return { factors, methods: methodsOf(factors, passkeys !== undefined), enrol: [] };
  return (await isRequired(ctx.env, row.tenantId))
    ? { factors, methods: [], enrol: passkeys ? ENROLLED : ["totp"] }
    : undefined;
}

/** 401 `second_factor_required`: how to go on. */
export async function factorRequired(ctx: ReadContext, proven: ProvenPassword, demand: Demand): Promise<ReeveError> {
  const { enrol } = demand;
  return new ReeveError("second_factor_required", undefined, {
    members: { ...(await newChallenge(ctx, proven, demand)), enrol },
  });
}

/** A challenge, the methods that answer it, and what a passkey is asked. */
export async function newChallenge(ctx: ReadContext, proven: ProvenPassword, { factors, methods }: Demand) {
  const { challenge, nonce } = sealChallenge(ctx, proven);
  if (!methods.includes("passkey")) return { challenge, methods };
  const site = await passkeySite(ctx.env, proven.row.tenantId);
  const options = await passkeysOf(ctx.env).request(site, nonce, passkeysAmong(factors));
  return { challenge, methods, passkey: options };
}
