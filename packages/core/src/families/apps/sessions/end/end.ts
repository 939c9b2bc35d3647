import type { Context } from "#kernel/operation/context.js";
import { type SamlApp, samlApps } from "../../saml-apps/schema.js";
import { noticeFor } from "../notify/notice-for.js";
import { appsOf, openSessions } from "../queries.js";
import type { EndReason } from "../rules.js";
import { type SamlSession, samlSessions } from "../schema.js";

/** Ends a session with an event. `logoutId` is the request that the person's browser takes to the application. */
export async function endSession(
  ctx: Context,
  session: SamlSession,
  reason: EndReason,
  app: SamlApp | undefined,
  logoutId: string | null = null,
): Promise<SamlSession> {
  const { id, appId, userId, nameId } = session;
  const ended = await ctx.update(samlSessions, session, {
    state: "ended",
    endedAt: ctx.now,
    endReason: reason,
    ...noticeFor(ctx, app, reason, logoutId),
  });
  await ctx.emit({
    type: "saml.session.ended",
    subject: { id: appId, type: "saml_app", path: `${samlApps.resource?.path}/${appId}` },
    related: [appId, userId],
    data: { sessionId: id, userId, nameId, reason },
  });
  return ended;
}

/** Ends sessions for the same reason. */
export async function endSessions(ctx: Context, sessions: readonly SamlSession[], reason: EndReason): Promise<void> {
  const apps = await appsOf(ctx, sessions);
  for (const session of sessions) await endSession(ctx, session, reason, apps.get(session.appId));
}

export async function endSessionsOfApp(ctx: Context, appId: string, reason: EndReason): Promise<void> {
  await endSessions(ctx, await openSessions(ctx.db, { appId }), reason);
}

export async function endSessionsOfUser(ctx: Context, userId: string, reason: EndReason): Promise<void> {
  await endSessions(ctx, await openSessions(ctx.db, { userId }), reason);
}
