import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { minutesMs } from "#ports/durations.js";
import { type SamlAuthnRequest, SamlError, type SamlMessage } from "#ports/saml.js";
import { samlInvalid } from "../../engine/use-engine.js";
import { recipientOf } from "../../saml-apps/assertion/content.js";
import { givesName } from "../../saml-apps/assertion/subject.js";
import { samlApps } from "../../saml-apps/schema.js";
import type { AnsweredRequest } from "../issue-sign-on.js";
import { type FromApp, receiveFromApp } from "./message.js";
import { recordingRefusals, refused } from "./refusals.js";

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
  await recordingRefusals(ctx, tenantId, app, async () => recipientOf(app, request));
  if (!givesName(app, request.nameIdFormat)) return refused(ctx, tenantId, app, new SamlError("name_id_unsupported"));
  return received;
}

const CONTEXT = "saml-request";
const LIFE = minutesMs(10);

/** A verified request to sign on that waits until it is known who is there. */
export interface Pending extends AnsweredRequest, Pick<SamlAuthnRequest, "forceAuthn" | "isPassive" | "takes"> {
  readonly tenantId: string;
  readonly appId: string;
  /** When it arrived, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Whether the host's own page to sign in has been shown for it. */
  readonly hostAsked: boolean;
}

export function pendingOf(ctx: ReadContext, { tenantId, app, message }: FromApp<SamlAuthnRequest>): Pending {
  const { signed: _signed, ...asked } = message;
  return { ...asked, tenantId, appId: app.id, arrivedAt: ctx.request.nowMs, hostAsked: false };
}

/** A request as it waits in the browser of somebody who signs in. Sealed, so that nobody can change it. */
export function sealRequest(ctx: ReadContext, pending: Pending): string {
  return ctx.env.secretBox.seal(JSON.stringify(pending), CONTEXT);
}

/**
 * The request that waits. 400 `saml_invalid` when it was not sealed here or has waited too long. What was not sealed here
 * names no tenant in whose trail the refusal could stand.
 */
export async function openRequest(ctx: ReadContext, sealed: string): Promise<Pending> {
  const text = ctx.env.secretBox.open(sealed, CONTEXT);
  const late = new SamlError("not_in_time", "The request has waited too long.");
  if (text === undefined) throw samlInvalid(late);
  const pending = JSON.parse(text) as Pending;
  if (pending.arrivedAt + LIFE > ctx.request.nowMs) return pending;
  const app = (await ctx.env.store.forTenant(pending.tenantId).get(samlApps, pending.appId))?.value;
  return refused(ctx, pending.tenantId, app, late);
}
