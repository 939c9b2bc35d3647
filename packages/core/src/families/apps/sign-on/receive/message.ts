import { ReeveError } from "../../../../kernel/http/errors.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { systemContext } from "../../../../kernel/operation/system-context.js";
import { requireCapability } from "../../../../kernel/pipeline/access.js";
import { type SamlEngine, SamlError, type SamlExpectation, type SamlMessage } from "../../../../ports/saml.js";
import { isIdOf } from "../../../../store/collection.js";
import { platformGates, tenants } from "../../../platform/index.js";
import { MAY_USE } from "../../access.js";
import { noteUsage } from "../../saml-apps/health/usage.js";
import { engineOf, refusing, samlInvalid } from "../../saml-apps/register/engine.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { issuerOf } from "../issue/issuer.js";

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
 * Reads a message of an application of the tenant. A refusal of a message that names an application is counted for it
 * and leaves an event.
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
  const { issuer } = await refusing(engine.peek(message));
  const row = await ctx.env.store.forTenant(tenantId).lookup(samlApps, "entityId", { entityId: issuer });
  if (!row) throw samlInvalid(new SamlError("issuer_mismatch", "No application has this entity id."));
  const app = row.value;
  try {
    const expected = {
      entityId: app.entityId,
      certificates: app.signingCertificates.map(({ certificate }) => certificate),
      destination: issuerOf(ctx.env, tenantId)[endpoint],
      now: ctx.request.nowMs,
    };
    return { tenantId, app, message: await read(engine, expected) };
  } catch (error) {
    if (!SamlError.is(error)) throw error;
    await noteRefusal(ctx, tenantId, app, error);
    throw samlInvalid(error);
  }
}

/** Records why a message in the name of an application was refused. */
export async function noteRefusal(
  ctx: ReadContext,
  tenantId: string,
  { id, name }: Pick<SamlApp, "id" | "name">,
  { refusal }: Pick<SamlError, "refusal">,
): Promise<void> {
  await systemContext(ctx.env, tenantId, "saml", ctx.request.nowMs).write(async (inner) => {
    await noteUsage(inner, id, refusal);
    await inner.emit({
      type: "saml.message.refused",
      severity: "WARN",
      subject: { id, type: "saml_app", path: `${samlApps.resource?.path}/${id}` },
      related: [id],
      data: { entity: { type: "saml_app", id, name }, refusal },
      outcome: "denied",
    });
  });
}
