import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { cookieEnded } from "./browser/session-cookie.js";
import { endSignIn } from "./refresh-family.js";

export const signOut = defineOperation({
  id: "auth.signOut",
  method: "POST",
  path: "/api/v1/auth/signout",
  tag: "Authentication",
  summary: "End the token that is presented, and the sign-in it came from",
  description: "The refresh token given out with it, and all that followed from it, die too.",
  access: "signed-in",
  endsToken: true,
  extension: true,
  success: { status: 204 },
  async handler(ctx) {
    const { tokenId, tokenExpiresAt } = ctx.principal;
    if (tokenId !== undefined && tokenExpiresAt !== undefined)
      await endSignIn(ctx, { tokenId, expiresAt: tokenExpiresAt });
    await noteSignOut(ctx);
    return ctx.principal.bySession ? cookieEnded(ctx.env) : undefined;
  },
});

async function noteSignOut(ctx: Context): Promise<void> {
  const { userId, username, kind, tokenId } = ctx.principal;
  const path = kind === "client" ? "/api/v1/ai/identities" : "/api/v1/users";
  await ctx.emit({
    type: "session.ended",
    subject: { id: userId, type: kind, path: `${path}/${userId}` },
    data: { entity: { type: kind, id: userId, name: username }, tokenId: tokenId ?? null },
  });
}
