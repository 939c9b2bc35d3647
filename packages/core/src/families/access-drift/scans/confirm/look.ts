import { ConnectorError, type GrantSpec, type VerifyResult } from "#connectors/index.js";
import type { AccessPrincipal } from "#families/access/index.js";
import { connectorCalls } from "#families/connectors/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Calls of one target at the same time. */
const TOGETHER = 4;

/** A grant that the target is asked for. */
export interface Asked extends Pick<GrantSpec, "resource" | "profileExternalId" | "parameters"> {
  readonly grantKey: string;
  readonly principal: AccessPrincipal;
}

/** What a target says of a grant; `undefined` when it could not be asked. */
export async function lookAtGrant(
  { env, principal: { tenantId } }: Pick<ReadContext, "env" | "principal">,
  instanceId: string,
  correlationId: string,
  { grantKey, resource, profileExternalId, parameters, principal: { displayName: _name, ...principal } }: Asked,
): Promise<VerifyResult | undefined> {
  const spec = { grantKey, resource, profileExternalId, parameters, principal };
  const call = { tenantId, instanceId, capability: "verify", correlationId, idempotencyKey: correlationId } as const;
  try {
    return await env.use(connectorCalls).call(call, (on, to) => on.verify?.(to, spec) as Promise<VerifyResult>);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    return undefined;
  }
}

/** Asks for some grants, a few at a time. */
export async function lookAtEach<T>(all: readonly T[], look: (one: T) => Promise<VerifyResult | undefined>) {
  return inChunks(all, (some) => Promise.all(some.map(look)), TOGETHER);
}
