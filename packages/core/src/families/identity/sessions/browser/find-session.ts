import { settings } from "#families/platform/index.js";
import { boundedCache } from "#kernel/async/bounded-cache.js";
import { defineService, type Environment } from "#kernel/config/environment.js";
import type { NeutralRequest } from "#kernel/http/http.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { minutesMs } from "#ports/durations.js";
import type { Row } from "#store/row.js";
import { opaqueHash } from "../../tokens/opaque-token.js";
import { type BrowserSession, browserSessions } from "./schema.js";
import { cookieOf } from "./session-cookie.js";
import { sessionSecret } from "./start-session.js";

const REMEMBERED = 10_000;
const NOTED_EVERY = minutesMs(5);

/** When this process last noted the use of a session. */
const noted = defineService("identity.sessionUse", () => boundedCache<string, number>(REMEMBERED));

/** The session of the cookie that a request came with. `undefined` where there is none, or it is over. */
export async function presentedSession(
  env: Environment,
  request: NeutralRequest,
): Promise<Row<BrowserSession> | undefined> {
  const secret = cookieOf(request, env.options);
  if (secret === undefined || !sessionSecret.isOne(secret)) return undefined;
  const row = await env.store.platform.lookup(browserSessions, "secretHash", { secretHash: opaqueHash(secret) });
  if (!row || isOver(env, row.value)) return undefined;
  await noteUse(env, row);
  return row;
}

/** Whether a session has ended, by its age or because it was not used. */
export function isOver(env: Environment, { expiresAt, lastUsedAt }: BrowserSession): boolean {
  const now = env.clock.now();
  const idleMs = env.use(settings).get("browserSessions.idle") * 1_000;
  return expiresAt <= timestamp(now) || Date.parse(lastUsedAt) + idleMs <= now;
}

/** Notes the use of a session, at most every five minutes. A failure is logged, and the request goes on. */
async function noteUse(env: Environment, { tenantId, value }: Row<BrowserSession>): Promise<void> {
  const now = env.clock.now();
  const seen = env.use(noted);
  const last = Math.max(Date.parse(value.lastUsedAt), seen.get(value.id) ?? 0);
  if (now - last < NOTED_EVERY) return;
  seen.set(value.id, now);
  try {
    await systemContext(env, tenantId, "use").write(async (ctx) => {
      const session = (await ctx.db.get(browserSessions, value.id))?.value;
      if (session) await ctx.update(browserSessions, session, { lastUsedAt: ctx.now });
    });
  } catch (error) {
    seen.delete(value.id);
    env.logger.warn({ sessionId: value.id, error: String(error) }, "the use of a browser session is not written down");
  }
}
