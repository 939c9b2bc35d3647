import { Health, healthOf, settings } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery } from "#kernel/operation/page.js";
import { Raw } from "#kernel/records/outcome.js";
import { attempt } from "../attempts/limit/gate.js";
import { keyRing } from "../keys/key-ring.js";
import { SESSIONS_PATH } from "../sessions/browser/operations.js";
import { ShownSession, shownSession } from "../sessions/browser/schema.js";
import { sessionCookie } from "../sessions/browser/session-cookie.js";
import { startBrowserSession } from "../sessions/browser/start-session.js";
import { startSession, userPrincipal } from "../sessions/start-session.js";
import { credentials, renewCredential } from "../users/passwords/credentials.js";
import { checkDiffers, checkPassword } from "../users/rules.js";
import { User as UserSchema, users } from "../users/schema.js";
import { dummyHash } from "./authenticate/passwords.js";
import { provePerson } from "./authenticate/prove-person.js";
import { PasswordChange, SignedIn, SignIn } from "./schema.js";

const SIGN_IN_ERRORS = [
  "invalid_credentials",
  "second_factor_required",
  "invalid_otp",
  "tenant_required",
  "too_many_attempts",
  "overloaded",
] as const;

export const signIn = defineOperation({
  id: "auth.signIn",
  method: "POST",
  path: "/api/v1/auth/signin",
  tag: "Authentication",
  summary: "Exchange user name and password for a bearer token",
  description:
    "A user name belongs to a tenant: that of the host, or the one that `tenant` names. Without either, up to three accounts of the name " +
    "are compared; where several have this password the answer is 409 `tenant_required`. Who has a second factor, or must have one, gets 401 " +
    "`second_factor_required` with a `challenge`, and sends it back with `code`, `passkey` or `recoveryCode` in place of name and password. " +
    "`enrol` lists what can be set up first, by `POST /api/v1/auth/factors/enrolment`.",
  access: "public",
  body: SignIn,
  success: { status: 200, schema: SignedIn },
  errors: SIGN_IN_ERRORS,
  effect: "own",
  secret: true,
  killSwitches: ["signin"],
  async handler(ctx, { body }) {
    return startSession(ctx, await provePerson(ctx, body));
  },
});

export const createBrowserSession = defineOperation({
  id: "browserSessions.create",
  method: "POST",
  path: SESSIONS_PATH,
  tag: "Authentication",
  extension: true,
  summary: "Sign in a browser with a cookie",
  description:
    "The cookie stands in place of a bearer token for all of `/api/v1`, and is good for nothing else. A request that changes something by it needs the header `X-Reeve-Page` and a page of the same origin, and so does this one. A second factor is asked for as by `POST /api/v1/auth/signin`.",
  access: "public",
  body: SignIn,
  success: { status: 201, schema: ShownSession },
  errors: [...SIGN_IN_ERRORS, "permission_denied"],
  effect: "own",
  secret: true,
  ofPage: true,
  killSwitches: ["signin"],
  async handler(ctx, { body }) {
    const proven = await provePerson(ctx, body);
    const { row, securityVersion, factor, recoveryCodes } = proven;
    const { id: userId, username, name } = row.value;
    const { session, secret, seconds } = await startBrowserSession(ctx, {
      ...{ principal: userPrincipal(ctx, row.tenantId, row.value), name, userId, username, securityVersion, factor },
      ...{ issuer: null, subject: null, roles: null, authenticatedAt: ctx.now },
    });
    const shown = { ...shownSession(session, session.id), ...(recoveryCodes ? { recoveryCodes } : {}) };
    return new Raw(JSON.stringify(shown), "application/json", {
      headers: { "set-cookie": sessionCookie(ctx.env.options, secret, seconds) },
    });
  },
});

export const resetPassword = defineOperation({
  id: "auth.resetPassword",
  method: "POST",
  path: "/api/v1/auth/reset-password",
  tag: "Authentication",
  summary: "Change the password of the token's principal",
  description: "Every other token of the user dies with the old password, refresh tokens included.",
  access: "signed-in",
  body: PasswordChange,
  success: { status: 200, schema: UserSchema },
  errors: ["invalid_credentials", "password_rejected", "too_many_attempts", "overloaded"],
  async prepare(ctx, { body }) {
    const { username, userId, tenantId } = ctx.principal;
    const securityVersion = await attempt(ctx, { username, within: tenantId }, async () => {
      const nobody = await ctx.env.use(dummyHash).hash();
      const credential = (await ctx.db.get(credentials, userId))?.value;
      const { ok } = await ctx.env.hasher.verify(body.currentPassword, credential?.passwordHash ?? nobody);
      if (!ok) throw notRight();
      return credential?.securityVersion;
    });
    const user = await ctx.getOrThrow(users, userId);
    const minLength = ctx.env.use(settings).get("passwords.minLength");
    checkPassword(body.newPassword, [username, user.name], minLength, "/newPassword");
    checkDiffers(body);
    return { securityVersion, passwordHash: await ctx.env.hasher.hash(body.newPassword) };
  },
  async handler(ctx, _input, { securityVersion, passwordHash }) {
    // Whatever ended the proven password meanwhile must not be undone by who knew it.
    const stored = (await ctx.db.get(credentials, ctx.principal.userId))?.value;
    if (stored?.securityVersion !== securityVersion) throw notRight();
    const user = await ctx.getOrThrow(users, ctx.principal.userId);
    await renewCredential(ctx, user.id, passwordHash, ctx.principal.tokenId);
    await ctx.emit({
      type: "user.password_changed",
      subject: { id: user.id, type: "user", path: `/api/v1/users/${user.id}` },
      data: { entity: { type: "user", id: user.id, name: user.name } },
    });
    return user;
  },
});

const notRight = () => new ReeveError("invalid_credentials", "The current password is not right.");

export const authPing = defineOperation({
  id: "auth.ping",
  method: "GET",
  path: "/api/v1/auth/ping",
  tag: "Authentication",
  summary: "Tell whether tokens can be issued and verified",
  access: "public",
  probe: true,
  query: PageQuery,
  success: { status: 200, schema: Health },
  errors: ["storage_unavailable"],
  handler: (ctx) =>
    healthOf(ctx, {
      signingKey: async () => {
        await ctx.env.use(keyRing).current();
        return "ok";
      },
    }),
});
