import { recordOwnPassword } from "#families/accountability/index.js";
import { settings, tenantHosts, tenants } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import type { Row } from "#store/row.js";
import { attemptToken } from "../attempts/limit/gate.js";
import { roles } from "../roles/rules.js";
import { userStatus } from "../users/machine.js";
import { reinvite } from "../users/operations.js";
import { credentials, hasPassword, renewCredential } from "../users/passwords/credentials.js";
import { checkGrant, checkPassword } from "../users/rules.js";
import { type User, User as UserSchema, users } from "../users/schema.js";
import { stillStands } from "./rules.js";
import { type PasswordLink, PasswordSet, passwordLinks, SetPassword } from "./schema.js";
import { issuePasswordLink } from "./send/issue.js";
import { mailService } from "./send/mail-service.js";
import { isLinkToken, linkTokenHash } from "./send/token.js";

export const inviteUser = defineOperation({
  id: "users.invite",
  method: "POST",
  path: "/api/v1/users/{id}/invite",
  tag: "Users",
  summary: "Mail an invited user a new link to set a password",
  description:
    "A disabled user without a password is invited once more. An earlier link stops working. Mails to one address are sent five times an hour at most; more wait their turn.",
  extension: true,
  access: { permission: "user:write", capability: "identity_foundation" },
  params: ById,
  success: { status: 200, schema: UserSchema },
  errors: ["invalid_transition", "not_configured"],
  async handler(ctx, { params }) {
    const user = await ctx.getForUpdate(users, params.id);
    if (user.status === "disabled" && !(await hasPassword(ctx, user.id))) {
      ctx.env.use(mailService).require();
      // It gives the roles back, as enabling does.
      checkGrant(ctx.env.use(roles), ctx.principal, user.roles, []);
      return reinvite(ctx, user);
    }
    if (user.status !== "invited") throw notInvitable(user);
    await issuePasswordLink(ctx, user, "invitation");
    return ctx.update(users, user, { invitations: user.invitations + 1 });
  },
});

function notInvitable({ status }: User): ReeveError {
  return transitionRefused(`The user is ${status}; only who has no password can be invited.`, {
    machine: userStatus,
    current: status,
  });
}

export const setPassword = defineOperation({
  id: "auth.setPassword",
  method: "POST",
  path: "/api/v1/auth/set-password",
  tag: "Authentication",
  summary: "Set a password by the link that was mailed",
  description:
    "Makes an invited user active. After a reset every token of the user is dead. The link works once; a password that is refused does not use it up.",
  extension: true,
  access: "public",
  body: SetPassword,
  success: { status: 200, schema: PasswordSet },
  errors: ["invalid_otp", "password_rejected", "too_many_attempts", "overloaded"],
  effect: "own",
  killSwitches: ["signin"],
  async handler(ctx, { body }) {
    if (!isLinkToken(body.token)) throw new ReeveError("invalid_otp");
    const tokenHash = linkTokenHash(ctx.env, body.token);
    const { link, user } = await attemptToken(ctx, tokenHash, () => linkBehind(ctx, tokenHash));
    const { username, name } = user;
    const minLength = ctx.env.use(settings).get("passwords.minLength");
    checkPassword(body.newPassword, [username, name], minLength, "/newPassword");
    const passwordHash = await ctx.env.hasher.hash(body.newPassword);
    await follow(ctx, link.tenantId, user, tokenHash, passwordHash);
    return { username };
  },
});

/**
 * The link with this token, and its user. At the host of a tenant, only links of its users. 400 `invalid_otp` for every
 * reason to refuse.
 */
async function linkBehind(ctx: ReadContext, tokenHash: string): Promise<{ link: Row<PasswordLink>; user: User }> {
  const link = await ctx.env.store.platform.lookup(passwordLinks, "token", { tokenHash });
  if (!link || !(await ctx.env.use(tenantHosts).admits(ctx.request.host, link.tenantId)))
    throw new ReeveError("invalid_otp");
  const reader = ctx.env.store.forTenant(link.tenantId);
  const [user, credential, tenant] = await Promise.all([
    reader.get(users, link.id),
    reader.get(credentials, link.id),
    reader.get(tenants, link.tenantId),
  ]);
  const stands = stillStands(link.value, user?.value, credential?.value) && link.value.expiresAt > ctx.now;
  if (!user || !stands || tenant?.value.status !== "active") throw new ReeveError("invalid_otp");
  return { link, user: user.value };
}

/** Uses the link and sets the password, in one transaction as the user. */
async function follow(
  ctx: OutsideContext,
  tenantId: string,
  { id, username, roles: names }: User,
  tokenHash: string,
  passwordHash: string,
): Promise<void> {
  const permissions = ctx.env.use(roles).permissionsOf(names);
  const self = { kind: "user", tenantId, userId: id, username, roles: names, permissions } as const;
  await ctx.write(async (inner) => {
    const link = (await inner.db.get(passwordLinks, id))?.value;
    const user = (await inner.db.get(users, id))?.value;
    const credential = (await inner.db.get(credentials, id))?.value;
    if (link?.tokenHash !== tokenHash || !user || !stillStands(link, user, credential))
      throw new ReeveError("invalid_otp");
    await inner.remove(passwordLinks, link);
    await renewCredential(inner, id, passwordHash);
    await recordOwnPassword(inner, id);
    await inner.emit({
      type: "user.password_changed",
      subject: { id, type: "user", path: `/api/v1/users/${id}` },
      data: { entity: { type: "user", id, name: user.name } },
    });
    if (link.purpose === "invitation") await inner.transition(users, userStatus, user, { event: "activate" });
  }, self);
}
