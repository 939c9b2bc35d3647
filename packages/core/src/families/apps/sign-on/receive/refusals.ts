import { ATTEMPT_WINDOW, budgetOf, budgets } from "#families/identity/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { SamlError, SamlRefusal } from "#ports/saml.js";
import { samlInvalid } from "../../engine/use-engine.js";
import { noteUsage } from "../../saml-apps/health-usage.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";

/** The most refusals that are recorded of one sender in one window: anybody can send messages. */
const RECORDED = 100;

type Sender = Pick<SamlApp, "id" | "name"> | undefined;

/** Records why a message was refused, and refuses it: 400 `saml_invalid`. Without an application it names none of them. */
export async function refused(ctx: ReadContext, tenantId: string, app: Sender, error: SamlError): Promise<never> {
  await noteRefusal(ctx, tenantId, app, error);
  throw samlInvalid(error);
}

/** Does `work` for an application, outside a transaction, and records where that is refused in its name. */
export async function recordingRefusals<T>(
  ctx: ReadContext,
  tenantId: string,
  app: Sender,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ReeveError.is(error) && error.code === "saml_invalid")
      await noteRefusal(ctx, tenantId, app, { refusal: error.members.refusal as SamlRefusal });
    throw error;
  }
}

async function noteRefusal(
  { env, request }: ReadContext,
  tenantId: string,
  app: Sender,
  { refusal }: Pick<SamlError, "refusal">,
): Promise<void> {
  const key = ["samlRefused", tenantId, app?.id ?? "unknown"];
  if ((await env.use(budgets).spend([budgetOf(env, key, RECORDED, ATTEMPT_WINDOW)])) > 0) return;
  await systemContext(env, tenantId, "saml", request.nowMs).write(async (inner) => {
    if (app) await noteUsage(inner, app.id, refusal);
    const path = samlApps.resource?.path;
    await inner.emit({
      type: "saml.message.refused",
      severity: "WARN",
      subject: { id: app?.id ?? "unknown", type: "saml_app", path: app ? `${path}/${app.id}` : `${path}` },
      ...(app ? { related: [app.id] } : {}),
      data: app ? { entity: { type: "saml_app", id: app.id, name: app.name }, refusal } : { refusal },
      outcome: "denied",
    });
  });
}
