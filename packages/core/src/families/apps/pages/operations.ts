import { principals, provePerson, SignIn, startSession } from "#families/identity/index.js";
import { settings } from "#families/platform/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Raw } from "#kernel/records/outcome.js";
import type { SamlMessage } from "#ports/saml.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { engineOf, refusing } from "../engine/use-engine.js";
import { samlKeyRing } from "../keys/key-ring.js";
import { browser } from "../markup/render/dialect.js";
import { answerFactor, answerRecoveryCodes } from "../markup/render/factor-pages.js";
import { answerContinue, answerResponse } from "../markup/render/pages.js";
import { issuerOf } from "../saml-apps/assertion/issuer.js";
import { samlApps } from "../saml-apps/schema.js";
import { signOn } from "../sign-on/issue-sign-on.js";
import { SIGN_ON_ERRORS, SIGN_ON_SWITCHES } from "../sign-on/operations.js";
import { tenantAsked } from "../sign-on/receive/message.js";
import { openRequest, pendingOf, receiveAuthnRequest, sealRequest } from "../sign-on/receive/request.js";
import { byCookie, signInCookie } from "./session/cookie.js";
import { afterCodes, answerOf, factorPage } from "./session/factor.js";
import { failureOf } from "./session/failure.js";
import { answerRequest, goOn, launcherPage, pageUrl, signInPage } from "./session/go-on.js";
import { requireOwnForm } from "./session/own-form.js";

const shared = {
  tag: "Runtime SSO",
  access: "public",
  mount: "root",
  extension: true,
  dialect: browser,
  openQuery: true,
} as const;
const page = { status: 200, media: "text/html; charset=utf-8", schema: z.string() } as const;
const Tenant = z.string().max(40).optional().meta({ description: "Id of the tenant, as in its metadata." });
const Message = z.string().max(131_072).optional();

/** The parameters of the redirect binding. The engine reads the raw query, because its octets are signed. */
export const RedirectQuery = z.strictObject({
  tenant: Tenant,
  SAMLRequest: Message.meta({ description: "A deflated request, base64." }),
  SAMLResponse: Message.meta({ description: "A deflated response, base64." }),
  RelayState: z
    .string()
    .max(8_192)
    .optional()
    .meta({ description: "The state of the application, handed back unchanged." }),
  SigAlg: z.string().max(200).optional().meta({ description: "Algorithm of the signature." }),
  Signature: z.string().max(4_096).optional().meta({ description: "Signature of the query, base64." }),
  SAMLEncoding: z.string().max(200).optional().meta({ description: "Only that of DEFLATE." }),
});
export const PostQuery = RedirectQuery.pick({ tenant: true });
/** The fields of the POST binding. Others beside them say nothing. */
export const PostForm = z
  .looseObject({
    SAMLRequest: Message.meta({ description: "A request, base64." }),
    SAMLResponse: Message.meta({ description: "A response, base64." }),
    RelayState: z
      .string()
      .max(8_192)
      .optional()
      .meta({ description: "The state of the application, handed back unchanged." }),
  })
  .meta({ id: "SamlPost", example: { SAMLRequest: "PHNhbWxwOkF1dGhuUmVxdWVzdC8+" } });

/** A message as it stands in the query, without the parameters that clients give tenants by. */
export const redirectMessage = (ctx: ReadContext): SamlMessage => ({
  binding: "redirect",
  query: (ctx.request.query ?? "")
    .split("&")
    .filter((pair) => Object.hasOwn(RedirectQuery.shape, pair.replace(/=.*$/s, "")))
    .join("&"),
});
export const postMessage = (body: z.output<typeof PostForm>): SamlMessage => ({
  binding: "post",
  fields: Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  ),
});

const MetadataQuery = PostQuery.extend({
  app: z.string().max(40).optional().meta({ description: "Id of the application that they are for." }),
});

/** Whether an application must sign its requests. 404 where the tenant has none of this id. */
async function signedRequestsOf(ctx: ReadContext, tenantId: string, id: string): Promise<boolean> {
  const app = isIdOf(samlApps, id) ? (await ctx.env.store.forTenant(tenantId).get(samlApps, id))?.value : undefined;
  if (!app) throw notFound();
  return app.signedRequests;
}

export const readSamlMetadata = defineOperation({
  ...shared,
  id: "saml.metadata",
  method: "GET",
  path: "/saml/metadata",
  summary: "Describe the identity provider of a tenant",
  description:
    "Signed metadata of SAML 2.0, with the next and the last key while they overlap. With an application they ask that requests be signed where it must sign them.",
  query: MetadataQuery,
  success: { status: 200, media: "application/samlmetadata+xml", schema: z.string() },
  errors: [...SIGN_ON_ERRORS, "tenant_suspended", "capability_not_licensed", "not_found"],
  async handler(ctx, { query }) {
    const tenantId = await tenantAsked(ctx, query.tenant);
    const engine = engineOf(ctx.env);
    const { signer, certificates } = await ctx.env.use(samlKeyRing).of(tenantId);
    const wantsSigned = query.app !== undefined && (await signedRequestsOf(ctx, tenantId, query.app));
    const issuer = issuerOf(ctx.env, tenantId);
    const document = await refusing(engine.writeMetadata(issuer, signer, certificates, wantsSigned));
    return new Raw(document, "application/samlmetadata+xml", { headers: { "cache-control": "max-age=300" } });
  },
});

const BEFORE_SIGN_ON = [...SIGN_ON_ERRORS, "tenant_suspended", "capability_not_licensed", "invalid_token"] as const;

export const ssoRedirect = defineOperation({
  ...shared,
  id: "saml.ssoRedirect",
  method: "GET",
  path: "/saml/sso",
  summary: "Answer a request to sign on that came by redirect",
  description:
    "Somebody who is not signed in is asked to sign in first. A request without interaction is refused then.",
  effect: "own",
  proof: "message",
  identify: byCookie,
  killSwitches: SIGN_ON_SWITCHES,
  query: RedirectQuery,
  success: page,
  errors: BEFORE_SIGN_ON,
  async handler(ctx, { query }) {
    const tenantId = await tenantAsked(ctx, query.tenant);
    const received = await receiveAuthnRequest(ctx, tenantId, redirectMessage(ctx));
    return answerRequest(ctx, pendingOf(ctx, received), ctx.caller);
  },
});

export const ssoPost = defineOperation({
  ...shared,
  id: "saml.ssoPost",
  method: "POST",
  path: "/saml/sso",
  summary: "Answer a request to sign on that came by POST",
  effect: "own",
  identify: byCookie,
  killSwitches: SIGN_ON_SWITCHES,
  query: PostQuery,
  body: PostForm,
  success: page,
  errors: BEFORE_SIGN_ON,
  async handler(ctx, { query, body }) {
    const tenantId = await tenantAsked(ctx, query.tenant);
    const pending = pendingOf(ctx, await receiveAuthnRequest(ctx, tenantId, postMessage(body)));
    // A form of another site brings no cookie. The page that follows asks for itself, and brings it.
    if (ctx.caller) return answerRequest(ctx, pending, ctx.caller);
    return answerContinue(`${pageUrl(ctx, "sign-in")}?request=${sealRequest(ctx, pending)}`);
  },
});

const Request = z.string().max(8_192).optional().meta({ description: "The request of an application that waits." });

export const signInPageOperation = defineOperation({
  ...shared,
  id: "saml.signInPage",
  method: "GET",
  path: "/saml/sign-in",
  summary: "Show the page to sign in, or go on where one is signed in",
  effect: "own",
  proof: "message",
  identify: byCookie,
  killSwitches: SIGN_ON_SWITCHES,
  query: z.strictObject({ request: Request }),
  success: page,
  errors: BEFORE_SIGN_ON,
  async handler(ctx, { query }) {
    const pending = query.request === undefined ? undefined : await openRequest(ctx, query.request);
    if (ctx.caller) return goOn(ctx, ctx.caller, pending);
    return pending ? answerRequest(ctx, pending, undefined) : signInPage(ctx, undefined);
  },
});

export const signInOnPage = defineOperation({
  ...shared,
  id: "saml.signIn",
  method: "POST",
  path: "/saml/sign-in",
  summary: "Sign in on the page, and go on to the application",
  description:
    "The form of the page. A refusal shows the page again, with the tenants to choose from where several match. The answer sets a cookie that only pages of sign-on read.",
  effect: "own",
  secret: true,
  killSwitches: SIGN_ON_SWITCHES,
  body: z
    .looseObject({
      username: SignIn.shape.username,
      password: SignIn.shape.password,
      tenant: SignIn.shape.tenant,
      challenge: SignIn.shape.challenge,
      code: SignIn.shape.recoveryCode.meta({ description: "The code of an app, or a recovery code." }),
      request: Request,
    })
    .meta({ id: "SamlSignIn", example: { username: "ada@acme.example", password: "correct horse battery staple" } }),
  success: page,
  errors: [
    ...BEFORE_SIGN_ON,
    "invalid_credentials",
    "second_factor_required",
    "invalid_otp",
    "tenant_required",
    "too_many_attempts",
    "overloaded",
  ],
  async handler(ctx, { body }) {
    requireOwnForm(ctx);
    const { username, password, challenge, code, request } = body;
    const pending = request === undefined ? undefined : await openRequest(ctx, request);
    // An application that waits belongs to a tenant, so that nothing is left to choose.
    const tenant = pending?.tenantId ?? body.tenant;
    const named = tenant === undefined ? {} : { tenant };
    const typed = challenge === undefined ? { username, password, ...named } : { challenge, ...answerOf(code ?? "") };
    try {
      const proven = await provePerson(ctx, typed);
      const { token, recoveryCodes } = await startSession(ctx, proven);
      // A token tells the second of the sign-in, which may lie before a request of the same second.
      const signedIn = await ctx.env.use(principals).ofToken(token);
      const principal = { ...signedIn, authenticatedAt: ctx.request.nowMs, byCookie: true } as const;
      await tenantAsked(ctx, principal.tenantId);
      const cookie = signInCookie(ctx.env, token, sessionSeconds(ctx));
      if (recoveryCodes) return answerRecoveryCodes(recoveryCodes, afterCodes(ctx, pending), cookie);
      return await goOn(ctx, principal, pending, cookie);
    } catch (error) {
      if (!ctx.request.wantsPage || !ReeveError.is(error)) throw error;
      const again = { ...(request === undefined ? {} : { request }) };
      if (error.code === "second_factor_required") return factorPage(ctx, again, error);
      const failure = failureOf(error, challenge !== undefined);
      if (!failure) throw error;
      // A code that is wrong leaves the challenge as it is, and the page too.
      if (challenge !== undefined && error.code !== "invalid_credentials")
        return answerFactor({ ...again, action: pageUrl(ctx, "sign-in"), challenge, failure });
      return signInPage(ctx, pending, { ...again, username: username ?? "", failure });
    }
  },
});

const sessionSeconds = (ctx: OutsideContext) => ctx.env.use(settings).get("tokens.lifetime");

export const showLauncher = defineOperation({
  ...shared,
  id: "saml.launcher",
  method: "GET",
  path: "/saml/apps",
  summary: "Show the page with one's applications",
  identify: byCookie,
  killSwitches: SIGN_ON_SWITCHES,
  success: page,
  errors: BEFORE_SIGN_ON,
  async handler(ctx) {
    return ctx.caller ? launcherPage(ctx, ctx.caller) : signInPage(ctx, undefined);
  },
});

export const startFromLauncher = defineOperation({
  ...shared,
  id: "saml.launcherStart",
  method: "POST",
  path: "/saml/apps",
  summary: "Sign on to an application from the page with one's applications",
  effect: "own",
  identify: byCookie,
  killSwitches: SIGN_ON_SWITCHES,
  body: z
    .looseObject({ app: z.string().max(40).meta({ description: "Id of the application." }) })
    .meta({ id: "SamlLauncherStart", example: { app: "sapp_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" } }),
  success: page,
  errors: [...BEFORE_SIGN_ON, "not_found"],
  async handler(ctx, { body }) {
    requireOwnForm(ctx);
    // A browser follows no redirect of a form to the host's own page, so that a page of its own leads there.
    if (!ctx.caller) return answerContinue(pageUrl(ctx, "apps"));
    const app = await ctx.getOrThrow(samlApps, body.app);
    return answerResponse(await signOn(ctx, ctx.caller, app, { request: null, relayState: app.launchUrl }));
  },
});
