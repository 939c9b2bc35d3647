import type { Environment } from "../config/environment.js";
import { type Principal, systemPrincipal } from "../config/principal.js";
import { OutsideContext } from "./outside-context.js";
import type { RequestFacts } from "./read-context.js";

/**
 * A context for work of Reeve itself in a tenant, outside any request. The request id in its events begins with
 * `label`.
 */
export function systemContext(
  env: Environment,
  tenantId: string,
  label: string,
  nowMs: number = env.clock.now(),
): OutsideContext {
  return processContext(env, systemPrincipal(tenantId), processFacts(env, label, { nowMs }));
}

/** A context for a principal in process, outside an operation. */
export function processContext(env: Environment, principal: Principal, facts: RequestFacts): OutsideContext {
  return new OutsideContext(env, facts, principal, env.store.forTenant(principal.tenantId));
}

/**
 * The facts of work without a request. Its request id is made at first use, because most jobs write no event. Work that
 * may meet the limits and settings of its `tenant` gives its state.
 */
export function processFacts(
  env: Environment,
  label: string,
  { nowMs = env.clock.now(), tenant }: Partial<Pick<RequestFacts, "nowMs" | "tenant">> = {},
): RequestFacts {
  let requestId: string | undefined;
  return {
    ...(tenant ? { tenant } : {}),
    get requestId() {
      requestId ??= `${label}_${env.ids.next(nowMs)}`;
      return requestId;
    },
    nowMs,
    mountPath: "",
  };
}
