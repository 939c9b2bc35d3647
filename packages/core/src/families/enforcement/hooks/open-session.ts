import { isOver, type Session, sessions, startAgentSession } from "#families/sessions/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { minutesMs } from "#ports/durations.js";
import { sha256 } from "#store/chain.js";
import type { Installation } from "../installations/schema.js";
import { type ClientSession, clientSessions } from "./schema.js";

/** Seconds of silence after which a session of a client is over. */
const IDLE_SECONDS = minutesMs(60) / 1_000;
/** The longest id of a client's session that is shown with the session here. */
const SHOWN = 200;

/** A session of a client, as far as it is known here. */
export interface KnownSession {
  readonly link: ClientSession | undefined;
  readonly session: Session | undefined;
}

export async function knownSession(
  ctx: ReadContext,
  { id: installationId }: Installation,
  clientSession: string,
): Promise<KnownSession> {
  const key = { installationId, sessionHash: sha256(clientSession) };
  const link = (await ctx.db.lookup(clientSessions, "client", key))?.value;
  const row = link && (await ctx.db.get(sessions, link.sessionId));
  return { link, session: row && ctx.derived(sessions, row) };
}

/** Whether a session goes on. One that somebody has ended stays ended; one that fell silent begins anew. */
export const goesOn = ({ status }: Session): boolean => status !== "expired" && status !== "completed";

/**
 * The session of Reeve for a session of a client: the one that goes on, or a new one. `undefined` where none may be
 * started, because the agent or the identity is stopped; the call is denied then.
 */
export async function openSession(
  ctx: Context,
  installation: Installation,
  clientSession: string,
): Promise<Session | undefined> {
  const { link, session } = await knownSession(ctx, installation, clientSession);
  if (session && goesOn(session)) return session;
  const started = await start(ctx, installation, clientSession);
  if (!started) return undefined;
  if (link) await ctx.update(clientSessions, link, { sessionId: started.id }, { event: false });
  else
    await ctx.insert(
      clientSessions,
      { installationId: installation.id, sessionHash: sha256(clientSession), sessionId: started.id },
      { event: false },
    );
  return started;
}

async function start(ctx: Context, installation: Installation, clientSession: string): Promise<Session | undefined> {
  const { agentId, identityId, userId, name, client } = installation;
  const conversationId = clientSession.length <= SHOWN ? clientSession : null;
  const fields = {
    ...{ agentId, identityId, userId, purpose: `A session of ${client}.` },
    externalIds: { conversationId, traceId: null, a2aContextId: null },
    limits: { maxIterations: null, maxCostUsd: null, maxDurationSec: null, idleTimeoutSec: IDLE_SECONDS },
  };
  try {
    const free = { name: nameOf(`${client} on ${name}`) };
    return await startAgentSession(ctx, { fields, free, status: undefined, reason: undefined }, { runs: "enrolled" });
  } catch (error) {
    if (ReeveError.is(error) && error.code === "transition_guard_failed") return undefined;
    throw error;
  }
}

/** The link to a session goes with it. */
export const dropWithSession = defineFollower(sessions, async (ctx, { before, after }) => {
  if (!before || after || !isOver(before)) return;
  const { rows } = await ctx.db.find(clientSessions, { where: { sessionId: before.id }, size: 10 });
  for (const { value } of rows) await ctx.remove(clientSessions, value, { event: false });
});
