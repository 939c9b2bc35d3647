import type { Principal } from "../../../../kernel/config/principal.js";
import { ReeveError } from "../../../../kernel/http/errors.js";
import type { OutsideContext } from "../../../../kernel/operation/outside-context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { Raw } from "../../../../kernel/records/outcome.js";
import { type SamlAuthnRequest, SamlError } from "../../../../ports/saml.js";
import { optionsOf } from "../../../options.js";
import { ownApps } from "../../applications/view/own.js";
import { samlKeyRing } from "../../keys/ring/ring.js";
import { engineOf, refusing, samlInvalid } from "../../saml-apps/register/engine.js";
import { samlApps } from "../../saml-apps/schema.js";
import { issuerOf } from "../../sign-on/issue/issuer.js";
import { signOn } from "../../sign-on/issue/sign-on.js";
import type { FromApp } from "../../sign-on/receive/message.js";
import { openRequest, sealRequest } from "../../sign-on/receive/request.js";
import { answerLauncher, answerResponse, answerSignIn } from "../render/pages.js";

export const pageUrl = (ctx: ReadContext, name: "sign-in" | "apps") => `${ctx.env.options.baseUrl}/saml/${name}`;

/** Answers a verified request: at once for somebody who is signed in, otherwise with the page to sign in. */
export async function answerRequest(ctx: OutsideContext, received: FromApp<SamlAuthnRequest>): Promise<Raw> {
  const { app, message, tenantId } = received;
  const isHere = ctx.caller?.tenantId === tenantId && !message.forceAuthn;
  if (isHere && ctx.caller) {
    const { relayState } = message;
    return answerResponse(await signOn(ctx, ctx.caller, app, { request: message, relayState }));
  }
  if (message.isPassive) return answerResponse(await refusal(ctx, received));
  return signInPage(ctx, sealRequest(ctx, received));
}

async function refusal(ctx: OutsideContext, { app, message, tenantId }: FromApp<SamlAuthnRequest>) {
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const acsUrl = message.acsUrl ?? (app.acsUrls[0] as string);
  const samlResponse = await refusing(
    engineOf(ctx.env).writeFailure({
      issuer: issuerOf(ctx.env, tenantId),
      signer,
      acsUrl,
      inResponseTo: message.id,
      now: ctx.request.nowMs,
      id: `_${ctx.newId("samr")}`,
      status: "NoPassive",
    }),
  );
  return { acsUrl, samlResponse, relayState: message.relayState };
}

/** The page to sign in, or the host's own. */
export async function signInPage(
  ctx: ReadContext,
  request: string | undefined,
  again: { readonly username?: string; readonly failure?: string } = {},
): Promise<Raw> {
  const { samlSignInUrl } = optionsOf(ctx.env);
  const back = `${pageUrl(ctx, "sign-in")}${request === undefined ? "" : `?request=${request}`}`;
  if (samlSignInUrl !== undefined) {
    const to = new URL(samlSignInUrl);
    to.searchParams.set("return", back);
    return new Raw("", "text/html", { status: 303, headers: { location: to.href } });
  }
  const pending = request === undefined ? undefined : openRequest(ctx, request);
  const app = pending && (await ctx.env.store.forTenant(pending.tenantId).get(samlApps, pending.appId));
  return answerSignIn({ action: pageUrl(ctx, "sign-in"), request, appName: app?.value.name, ...again });
}

/** The page with somebody's applications. */
export async function launcherPage(ctx: ReadContext, principal: Principal, cookie?: string): Promise<Raw> {
  const apps = await ownApps(ctx.on(principal.tenantId, principal));
  return answerLauncher(pageUrl(ctx, "apps"), apps, cookie);
}

/** Brings somebody who is signed in on to the application that waits, or to the page with all of theirs. */
export async function goOn(
  ctx: OutsideContext,
  principal: Principal,
  request: string | undefined,
  cookie?: string,
): Promise<Raw> {
  if (request === undefined) return launcherPage(ctx, principal, cookie);
  const bound = ctx.on(principal.tenantId, principal);
  const pending = openRequest(ctx, request);
  if (!pending) throw samlInvalid(new SamlError("not_in_time", "The request has waited too long."));
  if (pending.tenantId !== principal.tenantId)
    throw new ReeveError("permission_denied", "The application belongs to another organisation.");
  const app = await bound.getOrThrow(samlApps, pending.appId);
  const { relayState } = pending;
  return answerResponse(await signOn(ctx, principal, app, { request: pending, relayState }), cookie);
}
