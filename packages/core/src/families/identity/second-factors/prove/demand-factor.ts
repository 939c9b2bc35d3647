import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Method } from "../../sessions/schema.js";
import type { ProvenPassword } from "../../sessions/start-session.js";
import { factorsOf, isRequired } from "../queries.js";
import { hasFactor, methodsOf } from "../rules.js";
import type { SecondFactor } from "../schema.js";
import { sealChallenge } from "./challenge.js";

/** What somebody who has proven a password must do besides. */
export interface Demand {
  readonly factors: readonly SecondFactor[];
  readonly methods: readonly Method[];
  /** What they can set up now, because they have nothing yet. */
  readonly enrol: readonly "totp"[];
}

/** What is demanded besides the password; `undefined` for nothing. */
export async function demandOf(ctx: ReadContext, { row }: ProvenPassword): Promise<Demand | undefined> {
  const reader = ctx.env.store.forTenant(row.tenantId);
  const factors = await factorsOf(reader, row.id);
  if (hasFactor(factors)) return { factors, methods: methodsOf(factors), enrol: [] };
  return (await isRequired(ctx.env, row.tenantId)) ? { factors, methods: [], enrol: ["totp"] } : undefined;
}

/** 401 `second_factor_required`: how to go on. */
export function factorRequired(ctx: ReadContext, proven: ProvenPassword, { methods, enrol }: Demand): ReeveError {
  return new ReeveError("second_factor_required", undefined, {
    members: { challenge: sealChallenge(ctx, proven), methods, enrol },
  });
}
