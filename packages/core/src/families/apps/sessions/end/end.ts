import type { Context } from "../../../../kernel/operation/context.js";
import { samlApps } from "../../saml-apps/schema.js";
import { type SamlSession, samlSessions } from "../schema.js";

const PAGE = 200;

export type EndReason =
  | "application_disabled"
  | "application_removed"
  | "access_revoked"
  | "account_disabled"
  | "logged_out"
  | "logged_out_by_application";

/** Ends a session with an event. `logoutId` is the request that the application is sent. */
export async function endSession(
  ctx: Context,
  session: SamlSession,
  reason: EndReason,
  logoutId: string | null = null,
): Promise<SamlSession> {
  const { id, appId, userId, nameId } = session;
  const ended = await ctx.update(samlSessions, session, {
    state: "ended",
    endedAt: ctx.now,
    endReason: reason,
    logoutId,
  });
  await ctx.emit({
    type: "saml.session.ended",
    subject: { id: appId, type: "saml_app", path: `${samlApps.resource?.path}/${appId}` },
    related: [appId, userId],
    data: { sessionId: id, userId, nameId, reason },
  });
  return ended;
}

async function endAll(ctx: Context, where: Readonly<Record<string, string>>, reason: EndReason): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(samlSessions, { where: { ...where, state: "live" }, size: PAGE });
    for (const { value } of rows) await endSession(ctx, value, reason);
    if (rows.length < PAGE) return;
  }
}

export function endSessionsOfApp(ctx: Context, appId: string, reason: EndReason): Promise<void> {
  return endAll(ctx, { appId }, reason);
}

export function endSessionsOfUser(ctx: Context, userId: string, reason: EndReason): Promise<void> {
  return endAll(ctx, { userId }, reason);
}
