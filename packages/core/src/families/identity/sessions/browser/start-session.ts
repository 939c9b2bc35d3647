import { settings } from "#families/platform/index.js";
import type { Principal } from "#kernel/config/principal.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { cutText } from "#kernel/records/cut-text.js";
import { timestamp } from "#ports/clock.js";
import { opaqueKind } from "../../tokens/opaque-token.js";
import { endSignIn } from "../refresh-family.js";
import { type BrowserSession, browserSessions } from "./schema.js";

/** Secrets of cookies. They are good as nothing else. */
export const sessionSecret = opaqueKind("reeve_bs_");
/** The browsers that one person can be signed in with. The next one ends the oldest. */
const MOST = 50;
/** The longest name of a browser that is kept, in characters. */
const AGENT_LENGTH = 200;

/** Somebody who has proven who they are, and what the session keeps of it. */
export interface SignedInPerson
  extends Pick<
    BrowserSession,
    ("userId" | "username" | "issuer" | "subject" | "roles") | ("securityVersion" | "factor" | "authenticatedAt")
  > {
  readonly principal: Principal;
  /** The name that people are shown. */
  readonly name: string;
}

/** Signs in a browser: stores its session and the event. Returns the session, and the secret that only the cookie holds. */
export async function startBrowserSession(
  ctx: OutsideContext,
  { principal, name, ...person }: SignedInPerson,
): Promise<{ readonly session: BrowserSession; readonly secret: string; readonly seconds: number }> {
  const { userId, factor, issuer, subject, roles } = person;
  const { token: secret, hash: secretHash } = sessionSecret.make();
  const seconds = ctx.env.use(settings).get("browserSessions.lifetime");
  const { userAgent: agent } = ctx.request;
  const id = ctx.newId("bws");
  const expiresAt = timestamp(ctx.request.nowMs + seconds * 1_000);
  const session = await ctx.write(async (inner) => {
    await makeRoom(inner, userId);
    await inner.emit({
      type: "user.signed_in",
      subject: { id: userId, type: "user", path: `/api/v1/users/${userId}` },
      data: {
        entity: { type: "user", id: userId, name },
        tokenId: id,
        expiresAt,
        factor,
        ...(issuer === null ? {} : { issuer, subject, roles }),
      },
    });
    return inner.insert(browserSessions, {
      ...person,
      id,
      secretHash,
      lastUsedAt: inner.now,
      expiresAt,
      userAgent: agent === undefined ? null : cutText(agent, AGENT_LENGTH),
    });
  }, principal);
  return { session, secret, seconds };
}

async function makeRoom(ctx: Context, userId: string): Promise<void> {
  const { rows } = await ctx.db.find(browserSessions, { where: { userId }, size: MOST });
  const oldest = rows[MOST - 1]?.value;
  if (oldest) await endSignIn(ctx, { tokenId: oldest.id, expiresAt: Date.parse(oldest.expiresAt) });
}
