import { notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import { z } from "#schema/z.js";
import { endSignIn } from "../refresh-family.js";
import { isOver } from "./find-session.js";
import { browserSessions, ShownSession, shownSession } from "./schema.js";
import { cookieEnded } from "./session-cookie.js";

export const SESSIONS_PATH = "/api/v1/auth/sessions";
const shared = { tag: "Authentication", extension: true } as const;
/** More than one person can have. */
const ALL = 100;

export const listBrowserSessions = defineOperation({
  ...shared,
  id: "browserSessions.list",
  method: "GET",
  path: SESSIONS_PATH,
  summary: "List the browsers that one is signed in with",
  access: "signed-in",
  query: PageQuery,
  success: { status: 200, schema: pageOf(ShownSession) },
  async handler(ctx, { query }) {
    const { userId, tokenId } = ctx.principal;
    const { rows } = await ctx.db.find(browserSessions, { where: { userId }, size: ALL });
    const alive = rows.filter(({ value }) => !isOver(ctx.env, value));
    return ctx.slice(
      "browser_sessions",
      alive.map(({ value }) => shownSession(value, tokenId)),
      query,
    );
  },
});

export const endBrowserSession = defineOperation({
  ...shared,
  id: "browserSessions.end",
  method: "DELETE",
  path: `${SESSIONS_PATH}/{sessionId}`,
  summary: "Sign out a browser",
  description: "`current` is the one that the request came with.",
  access: "signed-in",
  params: z.object({
    sessionId: z
      .string()
      .meta({ description: "Id of the session, or `current`.", example: "bws_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  success: { status: 204 },
  errors: ["not_found"],
  async handler(ctx, { params }) {
    const { userId, username, tokenId = "" } = ctx.principal;
    const session = await ctx.getOrThrow(browserSessions, params.sessionId === "current" ? tokenId : params.sessionId);
    if (session.userId !== userId) throw notFound();
    await endSignIn(ctx, { tokenId: session.id, expiresAt: Date.parse(session.expiresAt) });
    await ctx.emit({
      type: "session.ended",
      subject: { id: userId, type: "user", path: `/api/v1/users/${userId}` },
      data: { entity: { type: "user", id: userId, name: username }, tokenId: session.id },
    });
    if (session.id !== tokenId) return undefined;
    return cookieEnded(ctx.env);
  },
});
