import {
  issuePasswordLink,
  moveStatus,
  renewCredential,
  requireRemainingOwner,
  type User,
  UserSchema,
  users,
} from "#families/identity/index.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { requireReason } from "#kernel/operation/context.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { askForReason } from "#kernel/operation/stops.js";
import { z } from "#schema/z.js";
import { isIdOf } from "#store/collection.js";
import { because, may, shared, sideOf, writeDown } from "../actions/rules.js";
import { ByTenant, registered } from "../tenants/operations.js";

/** A user as the provider sees one: what support needs, without data that the tenant has written about the user. */
const SupportUser = z
  .object({
    ...UserSchema.pick({
      id: true,
      name: true,
      username: true,
      status: true,
      roles: true,
      version: true,
      createdAt: true,
      updatedAt: true,
    }).shape,
    tenantId: z.string().meta({ description: "Id of the tenant." }),
  })
  .meta({ id: "SupportUser" });

function viewOf(tenantId: string, user: User): z.output<typeof SupportUser> {
  const { id, name, username, status, roles, version, createdAt, updatedAt } = user;
  return { id, name, username, status, roles, version, createdAt, updatedAt, tenantId };
}

export const listOrgUsers = defineOperation({
  ...shared,
  id: "support.listOrgUsers",
  method: "GET",
  path: "/api/v1/support/orgs/{tenantId}/users",
  summary: "List the users of an organisation",
  access: may("read"),
  params: ByTenant,
  query: listQuery(users),
  success: { status: 200, schema: pageOf(SupportUser) },
  async handler(ctx, { params, query }) {
    const { id } = await registered(ctx, params.tenantId);
    return ctx.on(id).page(users, query, {}, (user) => viewOf(id, user));
  },
});

const ByUser = z.object({
  userId: z.string().meta({ description: "Id of a user of any tenant.", example: "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

/** The tenant of a user. 404 when there is no such user. */
async function tenantOfUser(ctx: ReadContext, userId: string): Promise<string> {
  const row = isIdOf(users, userId) ? await ctx.env.store.platform.get(users, userId) : undefined;
  if (!row) throw notFound();
  return row.tenantId;
}

export const setSupportedUserStatus = defineOperation({
  ...shared,
  id: "support.setUserStatus",
  stops: true,
  method: "POST",
  path: "/api/v1/support/users/{userId}/status",
  summary: "Disable or enable a user of any tenant",
  description:
    "Either way every token of the user dies. One without a password is enabled as `invited`, and is mailed a link to set one. Of the provider's own people the last administrator stays.",
  access: may("users"),
  params: ByUser,
  body: z
    .strictObject({ status: z.enum(["active", "disabled"]).meta({ description: "State to move to." }), ...because })
    .meta({ id: "UserStatusChange", example: { status: "disabled", reason: "Has left the organisation." } }),
  success: { status: 200, schema: SupportUser },
  errors: ["missing_reason", "invalid_transition", "transition_guard_failed", "in_use", "precondition_failed"],
  prepare: (ctx, { params }) => tenantOfUser(ctx, params.userId),
  async handler(ctx, { params: { userId }, body }, tenantId) {
    const stops = body.status === "disabled";
    const reason = stops ? (body.reason?.trim() ?? "") : requireReason(body.reason);
    const side = sideOf(ctx, tenantId);
    const user = await side.getForUpdate(users, userId);
    const moved = await moveStatus(side, user, body.status, reason);
    if (moved === user) return viewOf(tenantId, user);
    if (tenantId === ctx.principal.tenantId && moved.status === "disabled") await requireRemainingOwner(side);
    const subject = { id: userId, type: "user", path: `/api/v1/support/users/${userId}` };
    if (stops) await askForReason(ctx, reason, { act: "userStatus: disable", subject, name: userId });
    await writeDown(ctx, {
      operation: "support.setUserStatus",
      subject,
      tenantId,
      reason,
      from: user.status,
      to: moved.status,
      metadata: body.metadata,
    });
    return viewOf(tenantId, moved);
  },
});

export const resetUserPassword = defineOperation({
  ...shared,
  id: "support.resetUserPassword",
  method: "POST",
  path: "/api/v1/support/users/{userId}/reset-password",
  summary: "Take a user's password away and mail a link to set another",
  description:
    "Password and tokens die at once. The link works once, for an hour, and is in no answer; an invited user is mailed another " +
    "invitation. 409 for a disabled user.",
  access: may("users"),
  params: ByUser,
  body: z.strictObject(because).meta({ id: "PasswordReset", example: { reason: "Asked for by the person." } }),
  success: { status: 200, schema: SupportUser },
  errors: ["missing_reason", "transition_guard_failed", "not_configured"],
  prepare: (ctx, { params }) => tenantOfUser(ctx, params.userId),
  async handler(ctx, { params: { userId }, body }, tenantId) {
    const reason = requireReason(body.reason);
    const side = sideOf(ctx, tenantId);
    const user = await side.getForUpdate(users, userId);
    if (user.status === "disabled")
      throw new ReeveError("transition_guard_failed", "The user is disabled: enable the user first.", {
        members: { guards: [{ key: "enabled", ok: false, detail: "A disabled user may set no password." }] },
      });
    await renewCredential(side, userId, null);
    await issuePasswordLink(side, user, user.status === "invited" ? "invitation" : "reset", reason);
    await writeDown(ctx, {
      operation: "support.resetUserPassword",
      subject: { id: userId, type: "user", path: `/api/v1/support/users/${userId}` },
      tenantId,
      reason,
      from: user.status,
      to: user.status,
      metadata: body.metadata,
    });
    return viewOf(tenantId, user);
  },
});
