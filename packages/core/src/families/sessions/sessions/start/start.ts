import { type Asset, deniedBecause, effectiveOf, noteUse } from "#families/estate/index.js";
import { foldUsername, users } from "#families/identity/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { timestamp } from "#ports/clock.js";
import { isIdOf, resemblesIdOf } from "#store/collection.js";
import { NO_ENFORCEMENT } from "../control/enforcement.js";
import { NO_USAGE, type SessionLimits } from "../report/limits.js";
import { moreSensitive } from "../report/report.js";
import { SESSION_DEFAULTS, type Session, sessions } from "../schema.js";
import { agentAsset, boundsOf, runsAs } from "./agent.js";
import type { SessionBody } from "./body.js";
import { identityDenial, identityRecord } from "./identity.js";

/** The deepest nesting of sessions. */
export const MOST_DEPTH = 8;

/**
 * Starts a session within the transaction. 400 `invalid_reference` for an agent, identity, user or parent that is not
 * of this tenant, or for a user who is not active. 403 for a machine and an agent or parent that is not its own. 409 when
 * agent, identity or parent may not be used.
 * `enrolled`: the identity is that of an installation, which runs the agent without being what the agent stands or falls with.
 */
export async function startSession(
  ctx: Context,
  { fields, free }: SessionBody,
  { runs = "declared" }: { readonly runs?: "declared" | "enrolled" } = {},
): Promise<Session> {
  const agent = await agentOf(ctx, fields.agentId ?? null);
  const identityId = ownIdentity(ctx, await identityOf(ctx, fields.identityId ?? null));
  const given = { ...SESSION_DEFAULTS, ...fields, agentId: agent?.id ?? null, identityId };
  if (runs === "declared") await requireOwnAgent(ctx, given);
  await requireUsable(ctx, given.agentId);
  await requireIdentity(ctx, identityId);
  await requireUser(ctx, given.userId);
  const parent = await parentOf(ctx, given.parentSessionId);
  const limitsInForce = await boundsOf(ctx, { ...given, usage: NO_USAGE, usageBelow: NO_USAGE });
  requireRoom(limitsInForce);
  if (agent) await noteUse(ctx, [agent]);
  const { id, version, ...marks } = ctx.stamp(sessions);
  const session = await ctx.insert(sessions, {
    id,
    name: free.name ?? `session ${id.slice(-6).toLowerCase()}`,
    status: "active",
    version,
    metadata: free.metadata ?? {},
    ...marks,
    ...given,
    environment: fields.environment ?? agent?.environment ?? "unknown",
    sensitivity: moreSensitive(given.sensitivity, parent?.sensitivity ?? "public"),
    expiresAt: earlier(future(ctx, given.expiresAt), parent ? endOf(parent) : null),
    limitsInForce,
    usage: NO_USAGE,
    usageBelow: NO_USAGE,
    controlEpoch: 0,
    control: null,
    enforcement: NO_ENFORCEMENT,
    enforcementPoints: [],
    depth: parent ? parent.depth + 1 : 0,
    hasChildren: false,
    startedAt: ctx.now,
    lastActivityAt: ctx.now,
    endedAt: null,
    configuration: free.configuration ?? {},
    attributes: free.attributes ?? {},
  });
  if (parent && !parent.hasChildren) await ctx.update(sessions, parent, { hasChildren: true }, { event: false });
  return session;
}

/** 409 where the sessions above a new one have used up what all of them may together. */
function requireRoom({ maxIterations, maxCostUsd }: SessionLimits): void {
  if (maxIterations === 0 || maxCostUsd === 0)
    throw held("withinLimits", "The sessions above it have used up what they may together.");
}

/** 400 unless the time is in the future. */
export function future(ctx: Context, moment: string | null): string | null {
  if (moment === null || moment > ctx.now) return moment;
  throw invalidProperty("/expiresAt", "Must lie in the future.");
}

/** When a session is over at the latest. */
function endOf({ expiresAt, startedAt, limitsInForce: { maxDurationSec } }: Session): string | null {
  return earlier(expiresAt, maxDurationSec === null ? null : timestamp(Date.parse(startedAt) + maxDurationSec * 1_000));
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** The identity of a new session. 403 for a machine client that names another's. */
function ownIdentity(ctx: Context, identityId: string | null): string | null {
  const { kind, userId } = ctx.principal;
  if (kind !== "client") return identityId;
  if (identityId === null || identityId === userId) return userId;
  throw new ReeveError("permission_denied", "A machine starts sessions under its own identity only.");
}

async function agentOf(ctx: Context, id: string | null): Promise<Asset | undefined> {
  if (id === null) return undefined;
  const agent = await agentAsset(ctx, id);
  if (agent) return agent;
  throw invalidProperty("/agentId", "There is no agent with this id.", "invalid_reference");
}

async function identityOf(ctx: Context, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const identity = await identityRecord(ctx, id);
  if (identity !== undefined) return identity;
  throw invalidProperty("/identityId", "There is no AI identity with this id.", "invalid_reference");
}

async function requireUsable(ctx: Context, agentId: string | null): Promise<void> {
  const decided = await effectiveOf(ctx, agentId, "agent");
  if (decided.decision === "deny") throw held("agentUsable", `The agent may not be used (${deniedBecause(decided)}).`);
}

async function requireIdentity(ctx: Context, id: string | null): Promise<void> {
  if (id === null) return;
  const denial = await identityDenial(ctx, id);
  if (denial !== undefined) throw held("identityUsable", `The identity may not be used (${denial}).`);
}

/**
 * 403 for a machine where the agent does not run as it. 400 for people where the agent runs as another identity; they
 * may name one for an agent that declares none.
 */
async function requireOwnAgent(ctx: Context, { agentId, identityId }: Pick<Session, "agentId" | "identityId">) {
  if (agentId === null || identityId === null) return;
  const runs = await runsAs(ctx, agentId, identityId);
  if (runs === "as it") return;
  if (ctx.principal.kind === "client")
    throw new ReeveError("permission_denied", "A machine starts sessions of the agents that run as it only.");
  if (runs === "as another")
    throw invalidProperty("/identityId", "The agent does not run as this identity.", "invalid_reference");
}

/** 400 for a user who is not active, named by id or address. Other texts name people of other systems. */
export async function requireUser(ctx: Context, id: string | null): Promise<void> {
  if (id === null) return;
  const isId = resemblesIdOf(users, id);
  const row = isId
    ? await ctx.db.get(users, id)
    : id.includes("@") && (await ctx.db.lookup(users, "username", { username: foldUsername(id) }));
  if (row ? row.value.status === "active" : !isId) return;
  const message = row ? `This user is ${row.value.status}.` : "There is no user with this id.";
  throw invalidProperty("/userId", message, "invalid_reference");
}

async function parentOf(ctx: Context, id: string | null): Promise<Session | undefined> {
  if (id === null) return undefined;
  if (!isIdOf(sessions, id) || !(await ctx.db.get(sessions, id)))
    throw invalidProperty("/parentSessionId", "There is no session with this id.", "invalid_reference");
  const parent = await ctx.getOrThrow(sessions, id);
  const { kind, userId } = ctx.principal;
  if (kind === "client" && parent.identityId !== userId)
    throw new ReeveError("permission_denied", "A machine starts sessions below its own only.");
  if (parent.status !== "active") throw held("parentActive", `The parent session is ${parent.status}.`);
  if (parent.depth < MOST_DEPTH) return parent;
  throw invalidProperty("/parentSessionId", `Sessions can be ${MOST_DEPTH} deep below the first one.`);
}

function held(key: string, detail: string): ReeveError {
  return new ReeveError("transition_guard_failed", detail, { members: { guards: [{ key, ok: false, detail }] } });
}
