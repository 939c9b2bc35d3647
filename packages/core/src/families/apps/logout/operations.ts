import { endSignIn } from "#families/identity/index.js";
import { systemPrincipal } from "#kernel/config/principal.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { pageOf } from "#kernel/operation/page.js";
import type { Raw } from "#kernel/records/outcome.js";
import type { SamlMessage } from "#ports/saml.js";
import { z } from "#schema/z.js";
import { MAY_USE } from "../access.js";
import { browser } from "../markup/render/dialect.js";
import { answerConfirmLogout, answerLogout } from "../markup/render/pages.js";
import { PostForm, PostQuery, postMessage, RedirectQuery, redirectMessage } from "../pages/operations.js";
import { byCookie, endedCookie } from "../pages/session/cookie.js";
import { logoutUrl, pageUrl } from "../pages/session/go-on.js";
import { requireOwnForm } from "../pages/session/own-form.js";
import { AppPath } from "../saml-apps/rules.js";
import { samlApps } from "../saml-apps/schema.js";
import { SESSION_STATES, ShownSession, samlSessions, shownSession } from "../sessions/schema.js";
import { SIGN_ON_ERRORS } from "../sign-on/operations.js";
import { tenantAsked } from "../sign-on/receive/message.js";
import { recordingRefusals } from "../sign-on/receive/refusals.js";
import { type Ending, liveSessions, prepareEndings, storeEndings } from "./end-logout.js";
import { type PreparedLogout, prepareLogout, storeLogout } from "./logout-message.js";

const page = { status: 200, media: "text/html; charset=utf-8", schema: z.string() } as const;
const root = { mount: "root", dialect: browser, openQuery: true } as const;

const Report = z
  .object({
    items: z
      .array(
        z.object({
          appId: z.string().meta({ description: "Id of the application." }),
          name: z.string().meta({ description: "The name of the application." }),
          notified: z.boolean().meta({ description: "Whether `url` tells it." }),
          byServer: z.boolean().meta({
            description:
              "Whether Reeve tells it itself; with `url` too, once that has not been confirmed for a minute.",
          }),
          url: z.string().nullable().meta({
            description:
              "Address that tells it, to be opened in the person's browser. Without it, and not told by Reeve, its own session goes on.",
          }),
        }),
      )
      .meta({ description: "One for each session that has ended." }),
  })
  .meta({ id: "SamlLogoutReport" });

const reportOf = (endings: readonly Ending[]): z.output<typeof Report> => ({
  items: endings.map(({ session: { appId }, app, url }) => ({
    appId,
    name: app?.name ?? appId,
    notified: url !== null,
    byServer: isNotifiedByServer(app),
    url,
  })),
});

const isNotifiedByServer = (app: Ending["app"]): boolean => (app?.sloSoapUrl ?? null) !== null;

const framesOf = (endings: readonly Ending[]) =>
  endings.map(({ session, app, url }) => ({
    name: app?.name ?? session.appId,
    url,
    byServer: isNotifiedByServer(app),
  }));

export const listSessions = defineOperation({
  id: "samlApps.listSessions",
  method: "GET",
  path: "/api/v1/saml-apps/{appInstanceId}/sessions",
  tag: "SAML Applications",
  summary: "List the sessions at an application, and what is left of those that have ended",
  description: "Open ones, and ended ones until they would have ended by themselves.",
  access: { permission: "saml-session:read", capability: MAY_USE.capability },
  extension: true,
  params: AppPath,
  query: listQuery(samlSessions),
  success: { status: 200, schema: pageOf(ShownSession) },
  async handler(ctx, { params, query }) {
    const { id: appId } = await ctx.getOrThrow(samlApps, params.appInstanceId);
    const shown = { state: SESSION_STATES, ...query };
    return ctx.page(samlSessions, shown, { where: { appId } }, shownSession);
  },
});

export const logOutEverywhere = defineOperation({
  ...root,
  id: "slo.own",
  method: "GET",
  path: "/slo",
  tag: "Slo",
  summary: "End the caller's sessions at all applications",
  description:
    "With a token in `Authorization`. Whoever comes without one, by a cookie, is shown a page with a button: a link must not log anybody out.",
  access: MAY_USE,
  effect: "own",
  proof: "authorization",
  identify: byCookie,
  success: { status: 200, schema: Report, also: "text/html; charset=utf-8" },
  errors: SIGN_ON_ERRORS,
  async handler(ctx) {
    // In process there is no request that a link could have sent.
    const { authorization = "", wantsPage } = ctx.request;
    const isByLink = wantsPage !== undefined && !/^bearer /i.test(authorization);
    return isByLink ? answerConfirmLogout(logoutUrl(ctx)) : logOut(ctx);
  },
});

export const logOutFromPage = defineOperation({
  ...root,
  id: "saml.logout",
  method: "POST",
  path: "/saml/logout",
  tag: "Slo",
  summary: "End the caller's sessions at all applications, from a page here",
  description: "The button of the pages of sign-on. The answer is a page that tells each application.",
  access: MAY_USE,
  effect: "own",
  extension: true,
  identify: byCookie,
  success: { status: 200, schema: Report, also: "text/html; charset=utf-8" },
  errors: SIGN_ON_ERRORS,
  async handler(ctx) {
    requireOwnForm(ctx);
    return logOut(ctx);
  },
});

/** Ends the sessions of the caller at all applications, and their sign-in by the page. */
async function logOut(ctx: OutsideContext) {
  const endings = await prepareEndings(ctx, ctx.principal, await liveSessions(ctx, ctx.principal.userId));
  const { userId, kind } = ctx.principal;
  await ctx.write(async (inner) => {
    await inner.emit({
      type: "saml.logout.requested",
      subject: { id: userId, type: kind, path: `/api/v1/users/${userId}` },
      related: [userId],
      data: { by: "person", sessions: endings.length },
    });
    await storeEndings(inner, endings, "logged_out");
    // Somebody who came by the cookie has signed in on the page, and with it may have gone nowhere yet.
    const { byCookie: isCookie, tokenId, tokenExpiresAt } = ctx.principal;
    if (isCookie && tokenId !== undefined && tokenExpiresAt !== undefined)
      await endSignIn(inner, { tokenId, expiresAt: tokenExpiresAt });
  });
  if (ctx.request.wantsPage)
    return answerLogout(framesOf(endings), { again: pageUrl(ctx, "apps"), cookie: endedCookie(ctx.env) });
  return reportOf(endings);
}

export const takeLogoutMessage = defineOperation({
  ...root,
  id: "slo.message",
  method: "POST",
  path: "/slo",
  tag: "Slo",
  summary: "Take the logout message of an application of the caller's tenant",
  description: "For gateways that hold a bearer. Applications send theirs to the address in the metadata, without one.",
  access: MAY_USE,
  query: RedirectQuery,
  success: { status: 200, schema: Report },
  errors: SIGN_ON_ERRORS,
  prepare: (ctx) => prepareLogout(ctx, ctx.principal.tenantId, redirectMessage(ctx)),
  async handler(ctx, _input, prepared) {
    await storeLogout(ctx, prepared);
    return reportOf(prepared.others);
  },
});

async function take(ctx: OutsideContext, tenantId: string, message: SamlMessage): Promise<Raw> {
  const prepared: PreparedLogout = await prepareLogout(ctx, tenantId, message);
  const store = () => ctx.write((inner) => storeLogout(inner, prepared), systemPrincipal(tenantId));
  await recordingRefusals(ctx, tenantId, prepared.app, store);
  const { others, answer } = prepared;
  return answerLogout(framesOf(others), { ...(answer ? { last: answer } : {}), cookie: endedCookie(ctx.env) });
}

const asked = { ...root, tag: "Slo", access: "public", effect: "own", extension: true, success: page } as const;
const ERRORS = [...SIGN_ON_ERRORS, "tenant_suspended", "capability_not_licensed"] as const;

export const logoutRedirect = defineOperation({
  ...asked,
  id: "saml.logoutRedirect",
  method: "GET",
  path: "/saml/slo",
  summary: "Take a logout message that came by redirect",
  proof: "message",
  description:
    "It is always signed. A request ends the sessions that it names, and those of the same people elsewhere.",
  query: RedirectQuery,
  errors: ERRORS,
  handler: async (ctx, { query }) => take(ctx, await tenantAsked(ctx, query.tenant), redirectMessage(ctx)),
});

export const logoutPost = defineOperation({
  ...asked,
  id: "saml.logoutPost",
  method: "POST",
  path: "/saml/slo",
  summary: "Take a logout message that came by POST",
  query: PostQuery,
  body: PostForm,
  errors: ERRORS,
  handler: async (ctx, { query, body }) => take(ctx, await tenantAsked(ctx, query.tenant), postMessage(body)),
});
