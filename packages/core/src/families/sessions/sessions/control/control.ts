import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { everyPage } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isLive, sessionStatus } from "../machine.js";
import { limitReached } from "../report/limits.js";
import { type Session, sessionChangeSignals, sessions } from "../schema.js";
import { boundsOf } from "../start/agent.js";
import { askPoints, NO_ENFORCEMENT } from "./enforcement.js";

/** The most sessions moved between two reads of a cascade. */
const BATCH = 200;

type Verb = "suspend" | "resume" | "terminate";

/** The reason of a decision, and whether a person or a rule made it. */
interface Cause {
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly triggeredBy?: "user" | "policy";
}

/**
 * Decides about a session within the transaction: its state, a higher epoch, and the enforcement points to ask. A
 * termination includes child sessions and adds their ids to `dealtWith`. 403 for a machine client and another's
 * session.
 */
export async function control(
  ctx: Context,
  session: Session,
  verb: Verb,
  cause: Cause,
  dealtWith: Set<string> = new Set(),
): Promise<Session> {
  const { triggeredBy = "user", reason, metadata } = cause;
  if (triggeredBy === "user") requireOwn(ctx, session);
  const bound = verb === "resume" ? await boundAnew(ctx, session) : session;
  const by = triggeredBy === "user" ? ctx.principal.userId : "system";
  const decided: Partial<Session> = {
    controlEpoch: session.controlEpoch + 1,
    control: { requested: verb, by, reason: reason ?? null, at: ctx.now, triggeredBy },
    enforcement: verb === "resume" ? NO_ENFORCEMENT : askPoints(session.enforcementPoints, ctx.request.nowMs),
    ...(verb === "resume" ? { lastActivityAt: ctx.now } : {}),
  };
  const options = { reason, metadata, triggeredBy, patch: decided };
  let moved = await ctx.transition(sessions, sessionStatus, bound, { event: verb }, options);
  if (verb === "terminate") {
    if (moved.enforcement.state !== "pending") moved = await finish(ctx, moved);
    dealtWith.add(moved.id);
    await terminateBelow(ctx, moved, dealtWith);
  }
  await signalChange(ctx);
  return moved;
}

/** Terminates what a session has started, and what sessions that have ended meanwhile have started. */
export async function terminateBelow(
  ctx: Context,
  { id, hasChildren }: Pick<Session, "id" | "hasChildren">,
  dealtWith: Set<string> = new Set(),
): Promise<void> {
  if (!hasChildren) return;
  const cause = { reason: "Its parent session was terminated.", triggeredBy: "policy" } as const;
  for await (const rows of everyPage(ctx.db, sessions, { where: { liveParentId: id }, size: BATCH }))
    for (const row of rows) {
      if (dealtWith.has(row.id)) continue;
      const child = await ctx.current(sessions, row);
      if (isLive(child)) await control(ctx, child, "terminate", cause, dealtWith);
      else await terminateBelow(ctx, child, dealtWith);
    }
}

/** The session under the limits of its agent and parent as they are now, which may have been raised since. */
async function boundAnew(ctx: Context, session: Session): Promise<Session> {
  const limitsInForce = await boundsOf(ctx, session);
  return ctx.update(sessions, session, { limitsInForce }, { event: false });
}

/** Ends a terminating session for which no acknowledgement is pending. */
export function finish(ctx: Context, session: Session): Promise<Session> {
  const options = { triggeredBy: "policy", patch: { endedAt: ctx.now } } as const;
  return ctx.transition(sessions, sessionStatus, session, { event: "finish" }, options);
}

/** Completes a session whose agent has finished. */
export async function complete(ctx: Context, session: Session, reason: string | undefined): Promise<Session> {
  const options = { reason, patch: { endedAt: ctx.now } };
  const done = await ctx.transition(sessions, sessionStatus, session, { event: "complete" }, options);
  await signalChange(ctx);
  return done;
}

/** The live sessions of a cascade, by an index. */
export type Concerned = { readonly live: true } | { readonly liveAgentId: string };

interface Bounds {
  /** The most sessions to process. All when absent. */
  readonly most?: number;
  /** Sessions that this transaction has already terminated. */
  readonly dealtWith?: Set<string>;
}

/** Terminates live sessions and their child sessions in batches. Returns how many it processed. */
export function terminateLive(ctx: Context, where: Concerned, reason: string, bounds: Bounds = {}): Promise<number> {
  const { most, dealtWith = new Set() } = bounds;
  const cause = { reason, triggeredBy: "policy" } as const;
  const end = async (session: Session) => {
    if (!dealtWith.has(session.id)) await control(ctx, session, "terminate", cause, dealtWith);
  };
  return eachLive(ctx, where, end, most);
}

/** Suspends the active sessions among live ones, in batches. */
export function suspendLive(ctx: Context, where: Concerned, reason: string): Promise<number> {
  const cause = { reason, triggeredBy: "policy" } as const;
  return eachLive(ctx, where, async (session) => {
    if (session.status === "active") await control(ctx, session, "suspend", cause);
  });
}

/** Whether any session is really live. The index may include expired ones whose expiry is not stored yet. */
export async function hasLive(ctx: Context, where: Concerned): Promise<boolean> {
  let live = false;
  await eachLive(ctx, where, async () => {
    live = true;
    return "enough";
  });
  return live;
}

async function eachLive(
  ctx: Context,
  where: Concerned,
  work: (session: Session) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let done = 0;
  for await (const rows of everyPage(ctx.db, sessions, { where: { ...where }, size: BATCH }))
    for (const row of rows) {
      if (done >= most) return done;
      const session = await ctx.current(sessions, row);
      if (isLive(session) && (await work(session)) === "enough") return done;
      done += 1;
    }
  return done;
}

/** Suspends an active session that has reached a limit, and those below it, which live on what it has left. */
export async function enforceLimits(ctx: Context, session: Session): Promise<Session> {
  const reached = session.status === "active" ? limitReached(session, ctx.request.nowMs) : undefined;
  if (reached === undefined) return session;
  const cause = { reason: `limit_reached:${reached}`, triggeredBy: "policy" } as const;
  const held = await control(ctx, session, "suspend", cause);
  await suspendBelow(ctx, held, cause);
  return held;
}

async function suspendBelow(ctx: Context, { id, hasChildren }: Session, cause: Cause): Promise<void> {
  if (!hasChildren) return;
  for await (const rows of everyPage(ctx.db, sessions, { where: { liveParentId: id }, size: BATCH }))
    for (const row of rows) {
      const child = await ctx.current(sessions, row);
      if (child.status === "active") await control(ctx, child, "suspend", cause);
      await suspendBelow(ctx, child, cause);
    }
}

const SIGNAL_ID = "sessions";
type ChangeSignal = Awaited<ReturnType<typeof readChangeSignal>>;
const readChangeSignal = async (ctx: Context) => (await ctx.db.get(sessionChangeSignals, SIGNAL_ID))?.value;
const changeSignals = new WeakMap<Context, ChangeSignal>();

/** Rises with every change that running sessions and decisions must hear of. */
export function changeEpoch({ db }: Pick<ReadContext, "db">): Promise<number> {
  return db.get(sessionChangeSignals, SIGNAL_ID).then((row) => row?.version ?? 0);
}

/** The session to decide about, read together with the tenant's change signal. */
export async function sessionToControl(ctx: Context, id: string): Promise<Session> {
  const [session, changeSignal] = await Promise.all([ctx.getForUpdate(sessions, id), readChangeSignal(ctx)]);
  changeSignals.set(ctx, changeSignal);
  return session;
}

/** Signals a decision to the guards of this tenant in other processes, once per transaction. */
export async function signalChange(ctx: Context): Promise<void> {
  if (ctx.hasWritten(sessionChangeSignals)) return;
  const changeSignal = changeSignals.has(ctx) ? changeSignals.get(ctx) : await readChangeSignal(ctx);
  if (changeSignal) await ctx.update(sessionChangeSignals, changeSignal, {}, { touch: true });
  else await ctx.insert(sessionChangeSignals, { id: SIGNAL_ID });
}

/** 403 for a machine client, unless the session runs as its own identity. */
export function requireOwn(ctx: Context, { identityId }: Pick<Session, "identityId">): void {
  const { kind, userId } = ctx.principal;
  if (kind !== "client" || identityId === userId) return;
  throw new ReeveError("permission_denied", "A machine changes and ends no session but its own.");
}
