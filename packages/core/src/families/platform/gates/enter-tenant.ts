import { systemPrincipal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { processContext } from "#kernel/operation/system-context.js";
import type { Capability } from "../capabilities/fields.js";
import { platformGates } from "./check-gates.js";

/**
 * A context of Reeve itself in the tenant that a secret in a body or path belongs to. 401 where the tenant, its licences or the host
 * of the request do not admit it, as for a secret that never was.
 */
export async function enterTenant(
  ctx: Pick<ReadContext, "env" | "request">,
  tenantId: string,
  capability: Capability,
): Promise<OutsideContext> {
  const gates = ctx.env.use(platformGates);
  const [tenant, isAdmitted] = [await gates.tenant(tenantId), await gates.admits(ctx.request.host, tenantId)];
  if (!isAdmitted || tenant?.status !== "active" || !tenant.licensed(capability)) throw new ReeveError("invalid_token");
  // The time of this moment, and not of when the request came in.
  return processContext(ctx.env, systemPrincipal(tenantId), { ...ctx.request, nowMs: ctx.env.clock.now(), tenant });
}
