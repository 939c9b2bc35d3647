import { principals } from "#families/identity/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { wantsPage } from "#kernel/http/http.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { MAY_USE } from "../access.js";
import { hiddenApps, hiddenId } from "../applications/schema.js";
import { isAssigned } from "../assignments/check/assigned.js";
import { engineOf } from "../engine/use-engine.js";
import { browser } from "../markup/render/dialect.js";
import { pageHtml } from "../markup/render/layout.js";
import { answerResponse, responsePage } from "../markup/render/pages.js";
import { AppPath } from "../saml-apps/rules.js";
import { samlApps } from "../saml-apps/schema.js";
import { requireUsable } from "../sessions/end/usable.js";
import { signOn } from "./issue-sign-on.js";
import { issueNonce, NONCE, nonceFor, useNonce } from "./launch-nonce.js";

export const SIGN_ON_SWITCHES = ["signin", "saml.signon"] as const;
export const SIGN_ON_ERRORS = ["not_configured", "permission_denied", "saml_invalid", "secret_unavailable"] as const;

const Launched = z
  .object({
    nonce: z.string().meta({ description: "Good once, for 60 seconds." }),
    url: z.string().meta({ description: "Address that signs the caller on, in a browser." }),
    expiresAt: Time.meta({ description: "When it ends unused." }),
  })
  .meta({ id: "SamlLaunch" });

const LaunchRequest = z
  .strictObject({
    relayState: z
      .string()
      .max(2_048)
      .regex(/^\P{Cc}*$/u)
      .optional()
      .meta({ description: "Handed to the application; its `launchUrl` when absent." }),
  })
  .meta({ id: "SamlLaunchRequest", example: {} });

export const launchApp = defineOperation({
  id: "samlApps.launch",
  method: "POST",
  path: "/api/v1/saml-apps/{appInstanceId}/launch",
  tag: "SAML Applications",
  summary: "Begin a sign-on of the caller at an application",
  description:
    "The answer is good for one sign-on of the caller at this application. A removed application is among the caller's own again.",
  access: MAY_USE,
  extension: true,
  killSwitches: SIGN_ON_SWITCHES,
  params: AppPath,
  body: LaunchRequest.optional(),
  success: { status: 200, schema: Launched },
  errors: SIGN_ON_ERRORS,
  secret: true,
  async handler(ctx, { params, body }) {
    engineOf(ctx.env);
    const app = await ctx.getOrThrow(samlApps, params.appInstanceId);
    if (app.status !== "active" || !(await isAssigned(ctx.db, app.id, ctx.principal)))
      throw new ReeveError("permission_denied", "The application is not active, or not assigned to you.");
    await requireUsable(ctx, ctx.principal);
    const hidden = await ctx.db.get(hiddenApps, hiddenId(ctx.principal.userId, app.id));
    if (hidden) await ctx.remove(hiddenApps, hidden.value);
    const { nonce, expiresAt } = await issueNonce(ctx, app.id, body?.relayState ?? app.launchUrl);
    await ctx.emit({
      type: "saml.launched",
      subject: { id: app.id, type: "saml_app", path: `/api/v1/saml-apps/${app.id}` },
      related: [app.id, ctx.principal.userId],
      data: { entity: { type: "saml_app", id: app.id, name: app.name }, userId: ctx.principal.userId },
    });
    return { nonce, url: `${ctx.env.options.baseUrl}/${nonce}/${app.id}`, expiresAt };
  },
});

const SignOnAnswer = z
  .object({
    acsUrl: z.string().meta({ description: "Where the response is posted." }),
    samlResponse: z.string().meta({ description: "Base64 of the signed response; the field `SAMLResponse`." }),
    relayState: z.string().nullable().meta({ description: "The field `RelayState`." }),
    sessionIndex: z.string().meta({ description: "The session, as the application is told." }),
    html: z.string().meta({ description: "A page that posts the response." }),
  })
  .meta({ id: "SamlSignOn" });

export const signOnByNonce = defineOperation({
  id: "sso.signOn",
  method: "GET",
  path: "/{nonce}/{app_instance_id}",
  tag: "Runtime SSO",
  summary: "Sign on to an application with a nonce",
  description:
    "With a bearer the nonce must be the caller's own. A browser needs none: the nonce, which is good once, says who it is, and the answer is a page that goes on to the application.",
  access: MAY_USE,
  mount: "root",
  effect: "own",
  proof: "nonce",
  openQuery: true,
  dialect: browser,
  killSwitches: SIGN_ON_SWITCHES,
  params: z.object({
    nonce: z.string().meta({ description: "From a launch." }),
    app_instance_id: z.string().meta({ description: "Id of the application." }),
  }),
  matches: ({ nonce = "", app_instance_id = "" }) => NONCE.test(nonce) && /^sapp_[0-9A-Z]{26}$/.test(app_instance_id),
  identify: async (env, request, { nonce = "", app_instance_id = "" }) => {
    if (!wantsPage(request)) return undefined;
    const found = await nonceFor(env, nonce, app_instance_id);
    if (!found) throw notFound();
    return env.use(principals).of(found.tenantId, found.value.userId);
  },
  success: { status: 200, schema: SignOnAnswer, also: "text/html; charset=utf-8" },
  errors: [...SIGN_ON_ERRORS, "not_found"],
  async handler(ctx, { params }) {
    const { tenantId, userId } = ctx.principal;
    const found = await nonceFor(ctx.env, params.nonce, params.app_instance_id);
    if (!found || found.tenantId !== tenantId || found.value.userId !== userId) throw notFound();
    const app = await ctx.getOrThrow(samlApps, params.app_instance_id);
    const { relayState, authenticatedAt, authenticatedBy, tokenId, securityVersion } = found.value;
    // The nonce tells of the sign-in of whoever asked for it.
    const { authenticatedAt: _at, authenticatedBy: _by, securityVersion: _version, ...who } = ctx.principal;
    const principal = {
      ...who,
      ...(authenticatedAt === null ? {} : { authenticatedAt }),
      ...(authenticatedBy === null ? {} : { authenticatedBy }),
      ...(tokenId ? { tokenId } : {}),
      ...(securityVersion ? { securityVersion } : {}),
    };
    const claim = (inner: Parameters<typeof useNonce>[0]) => useNonce(inner, found.value);
    const signedOn = await signOn(ctx, principal, app, { request: null, relayState, claim });
    if (ctx.request.wantsPage) return answerResponse(signedOn);
    return { ...signedOn, html: pageHtml(responsePage(signedOn)) };
  },
});
