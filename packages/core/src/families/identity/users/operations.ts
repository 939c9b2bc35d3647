import { recordAccount, recordRoles } from "#families/accountability/index.js";
import { settings } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { checkMetadata, mergePatch } from "#kernel/records/generic-body.js";
import { isSame } from "#kernel/records/is-same.js";
import { roles } from "../roles/rules.js";
import { unlinkUser } from "./foreign-identities.js";
import { userStatus } from "./machine.js";
import { credentials, hasPassword, renewCredential } from "./passwords/credentials.js";
import { invitationMails } from "./passwords/invitation-mails.js";
import { checkGrant, checkPassword, checkRoles } from "./rules.js";
import { type User, UserCreate, UserPatch, User as UserSchema, users } from "./schema.js";
import { isWorkingOwner } from "./user-ownership.js";

const PATH = "/api/v1/users";
const read = { permission: "user:read", capability: "identity_foundation" } as const;
const write = { permission: "user:write", capability: "identity_foundation" } as const;
const shared = { tag: "Users", extension: true } as const;

export const listUsers = listOperation({
  ...shared,
  id: "users.list",
  path: PATH,
  summary: "List users of the tenant",
  access: read,
  collection: users,
  schema: UserSchema,
});

export const createUser = defineOperation({
  ...shared,
  id: "users.create",
  method: "POST",
  path: PATH,
  summary: "Create a user, active at once when a password is given",
  description:
    "Without a password the user is invited, and is mailed a link to set one where the service can send mail; the user can be invited again later.",
  access: write,
  body: UserCreate,
  success: { status: 201, schema: UserSchema },
  errors: ["already_exists", "password_rejected", "overloaded", "limit_exceeded"],
  async prepare(ctx, { body }) {
    checkAssignment(ctx, [], body.roles);
    if (body.password === undefined) return null;
    checkPassword(body.password, [body.username, body.name ?? ""], ctx.env.use(settings).get("passwords.minLength"));
    return ctx.env.hasher.hash(body.password);
  },
  async handler(ctx, { body }, passwordHash) {
    // The caller's own roles may have changed while the password was hashed.
    checkAssignment(ctx, [], body.roles);
    const invitations = passwordHash === null && ctx.env.mailer ? 1 : 0;
    const user = await addUser(ctx, { ...body, passwordHash, invitations });
    if (invitations > 0) await invite(ctx, user);
    return user;
  },
});

async function invite(ctx: Context, user: User, reason?: string): Promise<void> {
  for (const mail of ctx.env.use(invitationMails)) await mail(ctx, user, reason);
}

/** Stores a user and its credential, within the transaction. */
export async function addUser(
  ctx: Context,
  given: {
    username: string;
    name?: string | undefined;
    roles: User["roles"];
    metadata?: Record<string, unknown> | undefined;
    passwordHash: string | null;
    invitations?: number;
  },
): Promise<User> {
  const { id, version, ...marks } = ctx.stamp(users);
  const user: User = {
    id,
    name: given.name ?? (given.username.split("@")[0] as string),
    status: given.passwordHash === null ? "invited" : "active",
    version,
    metadata: given.metadata ?? {},
    ...marks,
    username: given.username,
    roles: given.roles,
    invitations: given.invitations ?? 0,
  };
  await recordAccount(ctx, id, given.passwordHash !== null);
  await ctx.insert(credentials, { id, passwordHash: given.passwordHash, securityVersion: 1, keptToken: null });
  return ctx.insert(users, user);
}

export const readUser = readOperation({
  ...shared,
  id: "users.read",
  path: PATH,
  summary: "Read one user",
  access: read,
  collection: users,
  schema: UserSchema,
});

export const patchUser = defineOperation({
  ...shared,
  id: "users.patch",
  stops: true,
  method: "PATCH",
  path: `${PATH}/{id}`,
  summary: "Change name, roles, status or metadata of a user",
  description:
    "A disabled user without a password is enabled as `invited`, and is mailed a link to set one where the service can send mail.",
  access: write,
  params: ById,
  body: UserPatch,
  success: { status: 200, schema: UserSchema },
  errors: ["invalid_transition", "transition_guard_failed", "in_use"],
  async handler(ctx, { params, body }) {
    const before = await ctx.getForUpdate(users, params.id);
    checkAssignment(ctx, before.roles, body.roles ?? before.roles);
    // To disable a user is to take all roles away, and to enable one is to give them back.
    if (body.status && body.status !== before.status) checkGrant(ctx.env.use(roles), ctx.principal, before.roles, []);
    const patch: Partial<User> = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.roles === undefined ? {} : { roles: body.roles }),
      ...(body.metadata === undefined
        ? {}
        : { metadata: mergePatch(before.metadata, body.metadata) as User["metadata"] }),
    };
    if (patch.metadata) checkMetadata(patch.metadata);
    let user = await ctx.update(users, before, patch);
    if (user.roles.some((role) => !before.roles.includes(role)))
      await recordRoles(
        ctx,
        user.id,
        user.roles.some((role) => before.roles.includes(role)),
      );
    if (body.status) user = await moveStatus(ctx, user, body.status, body.reason);
    if (isWorkingOwner(before) && !isWorkingOwner(user)) await requireRemainingOwner(ctx);
    // Invited users have no tokens to revoke. Their invitation stays valid when only roles change.
    const rolesChanged = before.status !== "invited" && !isSame(before.roles, user.roles);
    if (rolesChanged && before.status === user.status) await renewCredential(ctx, user.id);
    return user;
  },
});

/** Checks that roles exist and that the caller may grant them. */
function checkAssignment(ctx: ReadContext, before: readonly string[], after: readonly string[]): void {
  const book = ctx.env.use(roles);
  const added = after.map((role) => (before.includes(role) ? undefined : role));
  checkRoles(book, ctx.request.tenant?.provider === true, added);
  checkGrant(book, ctx.principal, before, after);
}

/**
 * Enables or disables a user, whose tokens are revoked either way. One without a password cannot be active, so they are
 * invited instead, and are mailed a link where the service can send mail.
 */
export async function moveStatus(
  ctx: Context,
  user: User,
  status: "active" | "disabled",
  reason?: string,
): Promise<User> {
  if (status === "active" && user.status === "disabled" && !(await hasPassword(ctx, user.id)))
    return reinvite(ctx, user, reason);
  const moved = await ctx.transition(users, userStatus, user, { to: status }, { reason });
  if (moved.status !== user.status) await renewCredential(ctx, user.id);
  return moved;
}

/** Invites a disabled user without a password once more. */
export async function reinvite(ctx: Context, user: User, reason?: string): Promise<User> {
  const invitations = user.invitations + (ctx.env.mailer ? 1 : 0);
  const moved = await ctx.transition(
    users,
    userStatus,
    user,
    { event: "reinvite" },
    { reason, patch: { invitations } },
  );
  await renewCredential(ctx, user.id);
  if (ctx.env.mailer) await invite(ctx, moved, reason);
  return moved;
}

export const removeUser = defineOperation({
  ...shared,
  id: "users.remove",
  method: "DELETE",
  path: `${PATH}/{id}`,
  summary: "Remove a user",
  access: write,
  params: ById,
  success: { status: 204 },
  errors: ["in_use"],
  async handler(ctx, { params }) {
    const user = await ctx.getForUpdate(users, params.id);
    checkGrant(ctx.env.use(roles), ctx.principal, user.roles, []);
    const credential = await ctx.db.get(credentials, user.id);
    await ctx.remove(users, user);
    await unlinkUser(ctx, user.id);
    if (credential) await ctx.remove(credentials, credential.value);
    if (isWorkingOwner(user)) await requireRemainingOwner(ctx);
    return undefined;
  },
});

/** Call it after the change, in its transaction. 409 unless the tenant still has an active owner. */
export async function requireRemainingOwner(ctx: Context): Promise<void> {
  const owners = await ctx.db.count(users, { where: { ownership: "owner" } });
  if (owners.count === 0)
    throw new ReeveError(
      "in_use",
      "The last active owner can be neither removed, disabled nor demoted; make somebody else an owner first.",
    );
}
