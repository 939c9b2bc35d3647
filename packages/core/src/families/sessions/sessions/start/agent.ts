import { type Asset, agents, assets, identities } from "#families/estate/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { roomBelow, type SessionLimits, tightest } from "../report/limits.js";
import { type Session, sessions } from "../schema.js";

/** The asset of an agent, by its id or that of its typed record. `undefined` for anything else. */
export async function agentAsset(ctx: ReadContext, id: string): Promise<Asset | undefined> {
  const assetId = isIdOf(agents, id) ? (await ctx.db.get(agents, id))?.value.assetId : id;
  if (assetId === undefined || !isIdOf(assets, assetId)) return undefined;
  const asset = (await ctx.db.get(assets, assetId))?.value;
  return asset?.assetType === "agent" ? asset : undefined;
}

/** Limits of agents, cached per transaction or request. */
const known = new WeakMap<object, Map<string, Partial<SessionLimits>>>();

type Bounded = Pick<Session, "limits" | "agentId" | "parentSessionId" | "usage" | "usageBelow"> &
  Partial<Pick<Session, "limitsInForce">>;

/** The tightest of a session's own limits, its agent's, and what the sessions above it leave to it. */
export async function boundsOf(ctx: ReadContext, session: Bounded): Promise<SessionLimits> {
  const { limits, agentId, parentSessionId } = session;
  const own = tightest(limits, await agentLimits(ctx, agentId));
  if (parentSessionId === null) return own;
  const parent = (await ctx.db.get(sessions, parentSessionId))?.value;
  // A parent that is gone has left its limits on the session.
  const left = parent ? roomBelow(await boundsOf(ctx, parent), parent, session) : session.limitsInForce;
  return left ? tightest(own, left) : own;
}

/**
 * Whether an agent runs as an AI identity, because its own record or that of the identity declares it. Who answers for
 * the agent declares both.
 */
export async function runsAs(
  ctx: ReadContext,
  agentId: string,
  identityId: string,
): Promise<"as it" | "as another" | "undeclared"> {
  const identity = (await ctx.db.get(identities, identityId))?.value;
  if (identity?.agentIds.includes(agentId)) return "as it";
  const declared = (await ctx.db.lookup(agents, "asset", { assetId: agentId }))?.value.identityId ?? null;
  if (declared === null) return "undeclared";
  return declared === identity?.assetId ? "as it" : "as another";
}

/** The limits of an agent's record for its sessions. */
async function agentLimits(ctx: ReadContext, agentId: string | null): Promise<Partial<SessionLimits>> {
  if (agentId === null) return {};
  const read = known.get(ctx.db) ?? new Map<string, Partial<SessionLimits>>();
  known.set(ctx.db, read);
  const limits = read.get(agentId) ?? (await ctx.db.lookup(agents, "asset", { assetId: agentId }))?.value.limits ?? {};
  read.set(agentId, limits);
  return limits;
}
