import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { storeOf } from "../config/store-access.js";
import { notifyCommit } from "../events/outbox.js";
import { Context } from "./context.js";
import type { RequestFacts } from "./read-context.js";
import { UnitOfWork } from "./unit-of-work.js";

/** Who writes, and for what request. Work of one `kind` reads alike most of the time. */
export interface Actor {
  readonly principal: Principal;
  readonly facts: RequestFacts;
  readonly kind?: string | undefined;
}

/**
 * Runs `work` in one transaction of the principal's tenant, then tells the caches and sends what the commit owes. `work` may
 * run twice, so it only writes.
 */
export async function transact<T>(
  env: Environment,
  { principal, facts, kind }: Actor,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  let unit: UnitOfWork | undefined;
  const result = await storeOf(env).transaction(
    principal.tenantId,
    (tx) => {
      unit = new UnitOfWork(tx);
      return work(new Context(env, facts, principal, unit));
    },
    kind,
  );
  notifyCommit(env, unit?.changes() ?? []);
  return result;
}
