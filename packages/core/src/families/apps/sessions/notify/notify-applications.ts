import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { leaseDue } from "#kernel/operation/lease-due.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs, minutesMs } from "#ports/durations.js";
import { samlApps } from "../../saml-apps/schema.js";
import { type SamlSession, samlSessions } from "../schema.js";
import { askToLogOut } from "./ask.js";

/** The most applications of a tenant that are told in one `tick`, and how many at once. */
const MOST = 256;
const AT_ONCE = 8;
/** How long a process reserves a session. It is longer than its call may take. */
const LEASE = minutesMs(1);
const FIRST_PAUSE = 1_000;
/** Failed attempts after which people are told. */
const QUIETLY = 5;

/**
 * Tells applications of sessions that have ended, from server to server. One process tells of each. Attempts go on, with
 * growing pauses, until the session would have ended by itself. Returns how many were made.
 */
export async function notifyApplications(env: Environment, tenantId: string): Promise<number> {
  if (!env.saml) return 0;
  let done = 0;
  while (done < MOST) {
    const leased = await lease(env, tenantId);
    if (leased.length === 0) break;
    await Promise.all(leased.map((session) => notify(env, tenantId, session)));
    done += leased.length;
  }
  return done;
}

function lease(env: Environment, tenantId: string): Promise<readonly SamlSession[]> {
  return leaseDue(systemContext(env, tenantId, "logout"), samlSessions, "notifyAt", AT_ONCE, (ctx, session) =>
    ctx.update(samlSessions, session, { notifyAt: timestamp(ctx.request.nowMs + LEASE), channel: "server" }),
  );
}

async function notify(env: Environment, tenantId: string, leased: SamlSession): Promise<void> {
  const failure = await askToLogOut(env, tenantId, leased);
  await systemContext(env, tenantId, "logout").write(async (ctx) => {
    const session = (await ctx.db.get(samlSessions, leased.id))?.value;
    // The browser was faster, or another process has taken it over.
    if (!session || session.version !== leased.version) return;
    await (failure === undefined ? confirm(ctx, session) : postpone(ctx, session, failure));
  });
}

async function confirm(ctx: Context, session: SamlSession): Promise<void> {
  await ctx.update(samlSessions, session, { confirmed: true, notifyAt: null, failure: null });
  await ctx.emit({ type: "saml.logout.confirmed", ...about(session), data: dataOf(session) });
}

async function postpone(ctx: Context, session: SamlSession, failure: string): Promise<void> {
  const attempts = session.attempts + 1;
  const pause = Math.min(FIRST_PAUSE * 4 ** attempts, hoursMs(1));
  await ctx.update(samlSessions, session, { attempts, failure, notifyAt: timestamp(ctx.request.nowMs + pause) });
  if (attempts !== QUIETLY) return;
  await ctx.emit({
    type: "saml.logout.unconfirmed",
    severity: "WARN",
    ...about(session),
    data: { ...dataOf(session), attempts, failure },
    outcome: "failure",
  });
}

const about = ({ appId, userId }: SamlSession) => ({
  subject: { id: appId, type: "saml_app", path: `${samlApps.resource?.path}/${appId}` },
  related: [appId, userId],
});

const dataOf = ({ id, userId, nameId, endReason }: SamlSession) => ({
  sessionId: id,
  userId,
  nameId,
  reason: endReason,
});
