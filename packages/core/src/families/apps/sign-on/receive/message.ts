import { platformGates, tenants } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { requireCapability } from "#kernel/pipeline/access.js";
import { type SamlEngine, SamlError, type SamlExpectation, type SamlMessage } from "#ports/saml.js";
import { isIdOf } from "#store/collection.js";
import { MAY_USE } from "../../access.js";
import { engineOf, samlInvalid } from "../../engine/use-engine.js";
import { issuerOf } from "../../saml-apps/assertion/issuer.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { refused } from "./refusals.js";

/** A verified message with the application that sent it. */
export interface FromApp<M> {
  readonly tenantId: string;
  readonly app: SamlApp;
  readonly message: M;
}

/** The tenant whose endpoint a message arrived at. 403 while it is suspended, 400 when there is none. */
export async function tenantAsked(ctx: ReadContext, tenantId: string | undefined): Promise<string> {
  const tenant =
    tenantId !== undefined && isIdOf(tenants, tenantId) ? await ctx.env.use(platformGates).tenant(tenantId) : undefined;
  if (!tenant) throw samlInvalid(new SamlError("destination_mismatch", "The address names no tenant."));
  if (tenant.status !== "active") throw new ReeveError("tenant_suspended", `The tenant is ${tenant.status}.`);
  requireCapability(tenant, MAY_USE.capability);
  return tenant.id;
}

/**
 * Reads a message of an application of the tenant. A refusal leaves an event, and is counted for the application where
 * the message names one.
 */
export async function receiveFromApp<M>(
  ctx: ReadContext,
  tenantId: string,
  message: SamlMessage,
  {
    endpoint,
    read,
  }: {
    readonly endpoint: "ssoUrl" | "sloUrl";
    readonly read: (engine: SamlEngine, expected: SamlExpectation) => Promise<M>;
  },
): Promise<FromApp<M>> {
  const engine = engineOf(ctx.env);
  let app: SamlApp | undefined;
  try {
    const { issuer } = await engine.peek(message);
    app = (await ctx.env.store.forTenant(tenantId).lookup(samlApps, "entityId", { entityId: issuer }))?.value;
    if (!app) throw new SamlError("issuer_mismatch", "No application has this entity id.");
    const expected = {
      entityId: app.entityId,
      certificates: app.signingCertificates.map(({ certificate }) => certificate),
      signedRequests: app.signedRequests,
      destination: issuerOf(ctx.env, tenantId)[endpoint],
      now: ctx.request.nowMs,
    };
    return { tenantId, app, message: await read(engine, expected) };
  } catch (error) {
    if (!SamlError.is(error)) throw error;
    return refused(ctx, tenantId, app, error);
  }
}
