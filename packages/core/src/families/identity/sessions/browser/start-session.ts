import { settings } from "#families/platform/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { cutText } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { opaqueKind } from "../../tokens/opaque-token.js";
import { endSignIn } from "../refresh-family.js";
import { type ProvenPerson, userPrincipal } from "../start-session.js";
import { type BrowserSession, browserSessions } from "./schema.js";

/** Secrets of cookies. They are good as nothing else. */
export const sessionSecret = opaqueKind("reeve_bs_");
/** The browsers that one person can be signed in with. The next one ends the oldest. */
const MOST = 50;
/** The longest name of a browser that is kept, in characters. */
const AGENT_LENGTH = 200;

/** Signs in a browser: stores its session and the event. Returns the session, and the secret that only the cookie holds. */
export async function startBrowserSession(
  ctx: OutsideContext,
  { row, securityVersion, factor }: ProvenPerson,
): Promise<{ readonly session: BrowserSession; readonly secret: string; readonly seconds: number }> {
  const { tenantId, value: user } = row;
  const { id: userId, username, name } = user;
  const { token: secret, hash: secretHash } = sessionSecret.make();
  const seconds = ctx.env.use(settings).get("browserSessions.lifetime");
  const { userAgent: agent } = ctx.request;
  const id = ctx.newId("bws");
  const expiresAt = timestamp(ctx.request.nowMs + seconds * 1_000);
  const session = await ctx.write(
    async (inner) => {
      await makeRoom(inner, userId);
      await inner.emit({
        type: "user.signed_in",
        subject: { id: userId, type: "user", path: `/api/v1/users/${userId}` },
        data: { entity: { type: "user", id: userId, name }, tokenId: id, expiresAt, factor },
      });
      return inner.insert(browserSessions, {
        id,
        secretHash,
        userId,
        username,
        securityVersion,
        factor,
        authenticatedAt: inner.now,
        lastUsedAt: inner.now,
        expiresAt,
        userAgent: agent === undefined ? null : cutText(agent, AGENT_LENGTH),
      });
    },
    userPrincipal(ctx, tenantId, user),
  );
  return { session, secret, seconds };
}

async function makeRoom(ctx: Context, userId: string): Promise<void> {
  const { rows } = await ctx.db.find(browserSessions, { where: { userId }, size: MOST });
  const oldest = rows[MOST - 1]?.value;
  if (oldest) await endSignIn(ctx, { tokenId: oldest.id, expiresAt: Date.parse(oldest.expiresAt) });
}
