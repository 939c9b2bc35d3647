import type { z } from "zod";
import { defineService } from "../../../kernel/config/environment.js";
import { ReeveError } from "../../../kernel/http/errors.js";
import { defineOperation } from "../../../kernel/operation/operation.js";
import { PageQuery } from "../../../kernel/operation/page.js";
import type { ReadContext } from "../../../kernel/operation/read-context.js";
import { systemContext } from "../../../kernel/operation/system-context.js";
import type { Row } from "../../../store/row.js";
import { Health, healthOf, settings, tenantHosts, tenants } from "../../platform/index.js";
import { attempt } from "../attempts/limit/gate.js";
import { keyRing } from "../keys/ring/key-ring.js";
import { type Proven, startSession } from "../sessions/start/start.js";
import { credentials, renewCredential } from "../users/passwords/credentials.js";
import { checkPassword } from "../users/rules.js";
import { foldUsername, type User, User as UserSchema, users } from "../users/schema.js";
import { PasswordChange, SignedIn, SignIn } from "./schema.js";

/** A hash of no password, so that unknown users take as long as known ones. Computed at the first sign-in. */
const decoy = defineService("identity.decoy", (env) => {
  let made: Promise<string> | undefined;
  return {
    hash(): Promise<string> {
      made ??= env.hasher.hash(env.secretBox.fingerprint("nobody", "decoy")).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
  };
});

export const signIn = defineOperation({
  id: "auth.signIn",
  method: "POST",
  path: "/api/v1/auth/signin",
  tag: "Authentication",
  summary: "Exchange user name and password for a bearer token",
  access: "public",
  body: SignIn,
  success: { status: 200, schema: SignedIn },
  errors: ["invalid_credentials", "too_many_attempts", "overloaded"],
  effect: "own",
  secret: true,
  killSwitches: ["signin"],
  async handler(ctx, { body }) {
    return startSession(ctx, await attempt(ctx, body.username, () => provenUser(ctx, body)));
  },
});

/** The user with this name. At the host of a tenant, users of other tenants are unknown. */
async function userAt(ctx: ReadContext, username: string): Promise<Row<User> | undefined> {
  const row = await ctx.env.store.platform.lookup(users, "username", { username: foldUsername(username) });
  return row && (await ctx.env.use(tenantHosts).admits(ctx.request.host, row.tenantId)) ? row : undefined;
}

/** Compares the password before it checks the user's state, so that the time taken discloses no state. */
async function provenUser(ctx: ReadContext, { username, password }: z.output<typeof SignIn>): Promise<Proven> {
  const nobody = await ctx.env.use(decoy).hash();
  const row = await userAt(ctx, username);
  const credential = row && (await ctx.env.store.forTenant(row.tenantId).get(credentials, row.id));
  const hash = credential?.value.passwordHash ?? nobody;
  const { ok, rehash } = await ctx.env.hasher.verify(password, hash);
  const tenant = row && (await ctx.env.store.forTenant(row.tenantId).get(tenants, row.tenantId));
  if (!ok || !credential || row.value.status !== "active" || tenant?.value.status !== "active")
    throw new ReeveError("invalid_credentials");
  if (rehash) await strengthen(ctx, row, password, hash);
  return { row, securityVersion: credential.value.securityVersion };
}

async function strengthen(ctx: ReadContext, row: Row<User>, password: string, proven: string): Promise<void> {
  const passwordHash = await ctx.env.hasher.hash(password);
  await systemContext(ctx.env, row.tenantId, "rehash").write(async (inner) => {
    const previous = (await inner.db.get(credentials, row.id))?.value;
    // If the password was changed in the meantime, the new hash must not replace it.
    if (previous?.passwordHash === proven) await inner.update(credentials, previous, { passwordHash });
  });
}

export const resetPassword = defineOperation({
  id: "auth.resetPassword",
  method: "POST",
  path: "/api/v1/auth/reset-password",
  tag: "Authentication",
  summary: "Change the password of the token's principal",
  description: "Every other token of the user dies with the old password; sign in again.",
  access: "signed-in",
  body: PasswordChange,
  success: { status: 200, schema: UserSchema },
  errors: ["invalid_credentials", "password_rejected", "too_many_attempts", "overloaded"],
  async prepare(ctx, { body }) {
    const { username, userId } = ctx.principal;
    await attempt(ctx, username, async () => {
      const nobody = await ctx.env.use(decoy).hash();
      const hash = (await ctx.db.get(credentials, userId))?.value.passwordHash ?? nobody;
      const { ok } = await ctx.env.hasher.verify(body.currentPassword, hash);
      if (!ok) throw new ReeveError("invalid_credentials", "The current password is not right.");
    });
    const user = await ctx.getOrThrow(users, userId);
    const minLength = ctx.env.use(settings).get("passwords.minLength");
    checkPassword(body.newPassword, [username, user.name], minLength, "/newPassword");
    return ctx.env.hasher.hash(body.newPassword);
  },
  async handler(ctx, _input, passwordHash) {
    const user = await ctx.getOrThrow(users, ctx.principal.userId);
    await renewCredential(ctx, user.id, passwordHash);
    await ctx.emit({
      type: "user.password_changed",
      subject: { id: user.id, type: "user", path: `/api/v1/users/${user.id}` },
      data: { entity: { type: "user", id: user.id, name: user.name } },
    });
    return user;
  },
});

export const authPing = defineOperation({
  id: "auth.ping",
  method: "GET",
  path: "/api/v1/auth/ping",
  tag: "Authentication",
  summary: "Tell whether tokens can be issued and verified",
  access: "public",
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
