import { optionsOf } from "#families/options.js";
import type { Principal } from "#kernel/config/principal.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Raw } from "#kernel/records/outcome.js";
import { ownApps } from "../../applications/own-applications.js";
import { engineOf, refusing } from "../../engine/use-engine.js";
import { samlKeyRing } from "../../keys/key-ring.js";
import { answerLauncher, answerResponse, answerSignIn, type SignInFailure } from "../../markup/render/pages.js";
import { recipientOf } from "../../saml-apps/assertion/content.js";
import { issuerOf } from "../../saml-apps/assertion/issuer.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { signOn } from "../../sign-on/issue-sign-on.js";
import { type Course, courseOf } from "../../sign-on/receive/course.js";
import { recordingRefusals } from "../../sign-on/receive/refusals.js";
import { type Pending, sealRequest } from "../../sign-on/receive/request.js";

export const pageUrl = (ctx: ReadContext, name: "sign-in" | "apps") => `${ctx.env.options.baseUrl}/saml/${name}`;
export const logoutUrl = (ctx: ReadContext) => `${ctx.env.options.baseUrl}/saml/logout`;

/** Answers a request with whoever is there: a sign-on, the page to sign in, or a refusal. */
export async function answerRequest(
  ctx: OutsideContext,
  pending: Pending,
  principal: Principal | undefined,
  cookie?: string,
): Promise<Raw> {
  const course = courseOf(pending, principal);
  if (course === "sign_in") return signInPage(ctx, pending);
  const app = (await ctx.env.store.forTenant(pending.tenantId).get(samlApps, pending.appId))?.value;
  if (!app) throw notFound();
  if (course !== "sign_on" || !principal) {
    const refuse = () => refusal(ctx, pending, app, course);
    return answerResponse(await recordingRefusals(ctx, pending.tenantId, app, refuse), cookie);
  }
  const { relayState } = pending;
  return answerResponse(await signOn(ctx, principal, app, { request: pending, relayState }), cookie);
}

async function refusal(ctx: OutsideContext, request: Pending, app: SamlApp, course: Course) {
  const { tenantId, id, relayState } = request;
  const acsUrl = recipientOf(app, request);
  const { signer } = await ctx.env.use(samlKeyRing).of(tenantId);
  const samlResponse = await refusing(
    engineOf(ctx.env).writeFailure({
      issuer: issuerOf(ctx.env, tenantId),
      signer,
      acsUrl,
      inResponseTo: id,
      now: ctx.request.nowMs,
      id: `_${ctx.newId("samr")}`,
      status: course === "sign_on" || course === "sign_in" ? "AuthnFailed" : course,
    }),
  );
  return { acsUrl, samlResponse, relayState };
}

/** The page to sign in, or the host's own. */
export async function signInPage(
  ctx: ReadContext,
  pending: Pending | undefined,
  again: { readonly username?: string; readonly failure?: SignInFailure; readonly request?: string } = {},
): Promise<Raw> {
  const { samlSignInUrl } = optionsOf(ctx.env);
  if (samlSignInUrl !== undefined) {
    const request = pending && sealRequest(ctx, { ...pending, hostAsked: true });
    const to = new URL(samlSignInUrl);
    to.searchParams.set("return", `${pageUrl(ctx, "sign-in")}${request === undefined ? "" : `?request=${request}`}`);
    if (pending?.forceAuthn) to.searchParams.set("prompt", "login");
    return new Raw("", "text/html", { status: 303, headers: { location: to.href } });
  }
  const app = pending && (await ctx.env.store.forTenant(pending.tenantId).get(samlApps, pending.appId));
  const request = again.request ?? (pending && sealRequest(ctx, pending));
  const username = again.username ?? pending?.subject ?? "";
  return answerSignIn({ ...again, username, action: pageUrl(ctx, "sign-in"), request, appName: app?.value.name });
}

/** The page with somebody's applications. */
export async function launcherPage(ctx: ReadContext, principal: Principal, cookie?: string): Promise<Raw> {
  const apps = await ownApps(ctx.on(principal.tenantId, principal));
  const { username } = principal;
  return answerLauncher({ action: pageUrl(ctx, "apps"), logOut: logoutUrl(ctx), username }, apps, cookie);
}

/** Brings somebody who is signed in on to the application that waits, or to the page with all of theirs. */
export async function goOn(
  ctx: OutsideContext,
  principal: Principal,
  pending: Pending | undefined,
  cookie?: string,
): Promise<Raw> {
  if (!pending) return launcherPage(ctx, principal, cookie);
  if (pending.tenantId !== principal.tenantId)
    throw new ReeveError("permission_denied", "The application belongs to another organisation.");
  return answerRequest(ctx, pending, principal, cookie);
}
