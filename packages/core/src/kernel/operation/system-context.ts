import type { Environment } from "../config/environment.js";
import { type Principal, systemPrincipal } from "../config/principal.js";
import { OutsideContext } from "./outside-context.js";
import type { RequestFacts } from "./read-context.js";

/** What Reeve itself does in a tenant, outside any request: the events of it carry a request id that begins with `label`. */
export function systemContext(
  env: Environment,
  tenantId: string,
  label: string,
  nowMs: number = env.clock.now(),
): OutsideContext {
  return processContext(env, systemPrincipal(tenantId), processFacts(env, label, nowMs));
}

/** What a principal does in process, outside an operation. */
export function processContext(env: Environment, principal: Principal, facts: RequestFacts): OutsideContext {
  return new OutsideContext(env, facts, principal, env.store.forTenant(principal.tenantId));
}

/** The facts of a request that nobody has sent. Its id is made for the first event of it: most jobs write none. */
export function processFacts(env: Environment, label: string, nowMs: number = env.clock.now()): RequestFacts {
  let requestId: string | undefined;
  return {
    get requestId() {
      requestId ??= `${label}_${env.ids.next(nowMs)}`;
      return requestId;
    },
    nowMs,
    mountPath: "",
  };
}
