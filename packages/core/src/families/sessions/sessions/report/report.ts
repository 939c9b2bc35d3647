import { assets, noteUse } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { transitionRefused } from "#kernel/records/machine.js";
import { hoursMs } from "#ports/durations.js";
import { enforceLimits, finish, signalChange } from "../control/control.js";
import {
  type Asked,
  acknowledged,
  askPoints,
  MOST_OWN_POINTS,
  MOST_POINTS,
  PRESENCE_SECONDS,
  withPoint,
} from "../control/enforcement.js";
import { isLive, isOver } from "../machine.js";
import { SENSITIVITIES, type Sensitivity, type Session, sessions } from "../schema.js";
import { boundsOf } from "../start/agent.js";
import { addUsage, type Usage } from "./limits.js";

/** A heartbeat of the session's agent, of an enforcement point, or of both. */
export interface Heartbeat {
  readonly pepId?: string | undefined;
  /** Seconds until the registration of the enforcement point expires. */
  readonly presenceSec?: number | undefined;
}

/** Stores a heartbeat. It succeeds in every state, and the answer tells the state. */
export async function heartbeat(ctx: Context, session: Session, beat: Heartbeat): Promise<Session> {
  if (isOver(session)) return session;
  return enforceLimits(ctx, await ctx.update(sessions, session, await lifeSign(ctx, session, beat), { event: false }));
}

/** The fields that a heartbeat changes. Activity counts for an active session only. */
async function lifeSign(ctx: Context, session: Session, { pepId, presenceSec }: Heartbeat): Promise<Partial<Session>> {
  if (session.status === "active") await noteAgent(ctx, session);
  return {
    ...(session.status === "active" ? { lastActivityAt: ctx.now } : {}),
    ...(isLive(session) ? { limitsInForce: await boundsOf(ctx, session) } : {}),
    ...(pepId === undefined ? {} : { enforcementPoints: pointsWith(ctx, session, pepId, presenceSec) }),
  };
}

/** Notes the use of the session's agent, by the hours since the session started. */
async function noteAgent(ctx: Context, { agentId, startedAt, lastActivityAt }: Session): Promise<void> {
  const hour = (moment: number) => Math.floor((moment - Date.parse(startedAt)) / hoursMs(1));
  if (agentId === null || hour(Date.parse(lastActivityAt)) === hour(ctx.request.nowMs)) return;
  const agent = (await ctx.db.get(assets, agentId))?.value;
  if (agent) await noteUse(ctx, [agent]);
}

function pointsWith(ctx: Context, session: Session, pepId: string, presenceSec = PRESENCE_SECONDS) {
  const { userId: registeredBy, kind, permissions } = ctx.principal;
  const { nowMs } = ctx.request;
  requireOwnPoint(
    ctx,
    session.enforcementPoints.find(({ id, until }) => id === pepId && until > ctx.now),
  );
  const points = withPoint(session.enforcementPoints, { id: pepId, registeredBy }, nowMs, presenceSec);
  const own = points.filter((point) => point.registeredBy === registeredBy).length;
  const isFree = kind === "system" || permissions.has("ai-session:enforce");
  if (!isFree && own > MOST_OWN_POINTS)
    throw new ReeveError("invalid_request", `Without "ai-session:enforce" you have at most ${MOST_OWN_POINTS}.`);
  if (points.length <= MOST_POINTS) return points;
  throw new ReeveError("invalid_request", `A session has at most ${MOST_POINTS} enforcement points.`);
}

/** 403 when somebody else answers for an enforcement point. */
function requireOwnPoint({ principal }: Context, point: { readonly registeredBy: string } | undefined): void {
  if (!point || point.registeredBy === principal.userId) return;
  throw new ReeveError("permission_denied", "Somebody else has registered this enforcement point.");
}

/** Usage since the last report, and the highest sensitivity of data that was used. */
export interface Spent extends Heartbeat {
  readonly usage: Partial<Usage>;
  readonly sensitivity?: Sensitivity | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Adds usage to a session and enforces its limits. It works in every state, because calls that were running at the end
 * also cost.
 */
export async function reportUsage(ctx: Context, session: Session, spent: Spent): Promise<Session> {
  const usage = addUsage(session.usage, spent.usage);
  const above = await countAbove(ctx, session, spent.usage);
  const sensitivity = moreSensitive(session.sensitivity, spent.sensitivity ?? "public");
  const signs = isOver(session) ? {} : await lifeSign(ctx, { ...session, usage }, spent);
  const next = await ctx.update(sessions, session, { ...signs, usage, sensitivity }, { event: false });
  const facts = { reported: spent.usage, usage, metadata: spent.metadata ?? {} };
  await ctx.emit({ type: "session.usage_reported", ...about(next, facts) });
  const enforced = await enforceLimits(ctx, next);
  for (const id of above) await enforceLimits(ctx, await ctx.getOrThrow(sessions, id));
  return above.length === 0 ? enforced : ctx.getOrThrow(sessions, session.id);
}

/** Counts what a session has spent in those above it, and returns their ids. */
async function countAbove(ctx: Context, { parentSessionId }: Session, spent: Partial<Usage>): Promise<string[]> {
  if (parentSessionId === null || !Object.values(spent).some((amount) => amount > 0)) return [];
  const row = await ctx.db.get(sessions, parentSessionId);
  if (!row) return [];
  const parent = await ctx.current(sessions, row);
  await ctx.update(sessions, parent, { usageBelow: addUsage(parent.usageBelow, spent) }, { event: false });
  return [parent.id, ...(await countAbove(ctx, parent, spent))];
}

/** The higher of two sensitivities. */
export function moreSensitive(one: Sensitivity, other: Sensitivity): Sensitivity {
  return SENSITIVITIES.indexOf(other) > SENSITIVITIES.indexOf(one) ? other : one;
}

/** The acknowledgement of the last decision by an enforcement point. */
export interface Answer {
  readonly pepId: string;
  /** The `controlEpoch` of the acknowledged decision. */
  readonly epoch: number;
  readonly outcome: NonNullable<Asked["outcome"]>;
  readonly detail?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Stores an acknowledgement. The last one ends a terminating session. 412 when there was another decision since. */
export async function acknowledge(ctx: Context, session: Session, answer: Answer): Promise<Session> {
  const { pepId, epoch, outcome, detail = null, metadata = {} } = answer;
  if (epoch !== session.controlEpoch) {
    throw new ReeveError("precondition_failed", "Another decision has been taken since.", {
      members: { current: session.controlEpoch },
    });
  }
  if (session.enforcement.state === "not_required") return session;
  const { userId: by } = ctx.principal;
  requireOwnPoint(
    ctx,
    session.enforcement.peps.find(({ id }) => id === pepId),
  );
  const known = session.enforcement.peps.find(({ id }) => id === pepId);
  if (known?.outcome === outcome && known.detail === detail) return session;
  if (!known && session.enforcement.peps.length >= MOST_POINTS)
    throw new ReeveError("invalid_request", `At most ${MOST_POINTS} enforcement points answer for a session.`);
  const enforcement = acknowledged(session.enforcement, { pepId, by, outcome, detail }, ctx.now);
  const next = await ctx.update(sessions, session, { enforcement }, { event: false });
  const facts = { pepId, epoch, outcome, detail, state: enforcement.state, metadata };
  await ctx.emit({
    type: "session.enforcement_acknowledged",
    ...about(next, facts),
    outcome: outcome === "failed" ? "failure" : "success",
  });
  return next.status === "terminating" && enforcement.state !== "pending" ? finish(ctx, next) : next;
}

interface Remarks {
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Asks the enforcement points again, under a new epoch. 409 unless there is an unconfirmed decision. */
export async function askAgain(ctx: Context, session: Session, { reason, metadata = {} }: Remarks): Promise<Session> {
  const { state } = session.enforcement;
  if (state === "confirmed" || state === "not_required" || state === "pending") {
    throw transitionRefused(`There is nothing to ask again: the enforcement is ${state}.`, {
      machine: { name: "sessionEnforcement" },
      current: state,
    });
  }
  const enforcement = askPoints(session.enforcementPoints, ctx.request.nowMs);
  const next = await ctx.update(
    sessions,
    session,
    { enforcement, controlEpoch: session.controlEpoch + 1 },
    { event: false },
  );
  const facts = { epoch: next.controlEpoch, state: enforcement.state, reason: reason ?? null, metadata };
  await ctx.emit({ type: "session.enforcement_requested", ...about(next, facts) });
  await signalChange(ctx);
  return next;
}

/** Unregisters an enforcement point, so that no decision waits for it. */
export async function leave(ctx: Context, session: Session, pepId: string): Promise<Session> {
  if (isOver(session) || !session.enforcementPoints.some(({ id }) => id === pepId)) return session;
  return ctx.update(
    sessions,
    session,
    { enforcementPoints: session.enforcementPoints.filter(({ id }) => id !== pepId) },
    { event: false },
  );
}

/** The members of every event about a session. */
function about({ id, name, agentId }: Session, facts: Readonly<Record<string, unknown>>) {
  return {
    subject: { id, type: "ai_session", path: `/api/v1/ai/sessions/${id}` },
    data: { entity: { type: "ai_session", id, name }, ...facts },
    related: agentId === null ? [] : [agentId],
  };
}
