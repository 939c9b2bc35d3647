import { inSpan, SPAN_KIND } from "../async/span.js";
import type { Environment } from "../config/environment.js";
import type { Principal } from "../config/principal.js";
import { storeOf } from "../config/store-access.js";
import { notifyCommit } from "../events/outbox.js";
import { Context } from "./context.js";
import type { RequestFacts } from "./read-context.js";
import { UnitOfWork } from "./unit-of-work.js";

/** Who writes, and for what request. Give `kind` to work that usually makes the same reads. */
export interface Actor {
  readonly principal: Principal;
  readonly facts: RequestFacts;
  readonly kind?: string | undefined;
}

/**
 * Runs `work` in one transaction of the principal's tenant. After the commit it notifies caches and sends deliveries.
 * `work` may run twice, so it must only write.
 */
export function transact<T>(env: Environment, actor: Actor, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (!env.tracer) return commit(env, actor, work);
  const attributes = { "reeve.tenant.id": actor.principal.tenantId };
  const span = { name: "transaction", kind: SPAN_KIND.internal, attributes };
  return inSpan(env.tracer, span, () => commit(env, actor, work));
}

async function commit<T>(
  env: Environment,
  { principal, facts, kind }: Actor,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  let unit: UnitOfWork | undefined;
  const result = await storeOf(env).transaction(
    principal.tenantId,
    (tx) => {
      unit = new UnitOfWork(tx, env);
      return work(new Context(env, facts, principal, unit));
    },
    kind,
  );
  notifyCommit(env, unit?.changes() ?? []);
  return result;
}
