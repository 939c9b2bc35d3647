import type { OutsideContext } from "../../../../kernel/operation/outside-context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { type SamlAuthnRequest, SamlError, type SamlMessage } from "../../../../ports/saml.js";
import { samlInvalid } from "../../saml-apps/register/engine.js";
import type { AnsweredRequest } from "../issue/sign-on.js";
import { formatFor } from "../issue/subject.js";
import { type FromApp, noteRefusal, receiveFromApp } from "./message.js";

/** Reads a request to sign on. The address that it names must be one that is registered, to the letter. */
export async function receiveAuthnRequest(
  ctx: OutsideContext,
  tenantId: string,
  message: SamlMessage,
): Promise<FromApp<SamlAuthnRequest>> {
  const received = await receiveFromApp(ctx, tenantId, message, {
    endpoint: "ssoUrl",
    read: (engine, expected) => engine.readAuthnRequest(message, expected),
  });
  const { app, message: request } = received;
  if (request.acsUrl !== null && !app.acsUrls.includes(request.acsUrl)) {
    const refused = new SamlError("recipient_mismatch");
    await noteRefusal(ctx, tenantId, app, refused);
    throw samlInvalid(refused);
  }
  formatFor(app, request.nameIdFormat);
  return received;
}

const CONTEXT = "saml-request";
const LIFE = 10 * 60_000;

interface Pending extends AnsweredRequest {
  readonly tenantId: string;
  readonly appId: string;
  readonly until: number;
}

/** A verified request as it waits in the browser of somebody who signs in. Sealed, so that nobody can change it. */
export function sealRequest(ctx: OutsideContext, { tenantId, app, message }: FromApp<SamlAuthnRequest>): string {
  const { id, acsUrl, relayState, nameIdFormat } = message;
  const until = ctx.request.nowMs + LIFE;
  const pending: Pending = { tenantId, appId: app.id, id, acsUrl, relayState, nameIdFormat, until };
  return ctx.env.secretBox.seal(JSON.stringify(pending), CONTEXT);
}

/** The request that waits; `undefined` when it was not sealed here or has waited too long. */
export function openRequest(ctx: ReadContext, sealed: string): Pending | undefined {
  const text = ctx.env.secretBox.open(sealed, CONTEXT);
  const pending = text === undefined ? undefined : (JSON.parse(text) as Pending);
  return pending && pending.until > ctx.request.nowMs ? pending : undefined;
}
