import { assets, assetsSwitchedOff, engagedSwitch } from "#families/estate/index.js";
import { switchOfAsset, switchReason, switchTarget } from "#families/platform/index.js";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { sessions } from "../schema.js";
import { type Concerned, hasLive, suspendLive, terminateLive } from "./control.js";

/** The most sessions ended in the transaction that engages a kill switch. */
const BATCH = 500;
const STOPPED = ["suspended", "rejected"];

/**
 * Suspends the sessions of an agent whose asset is suspended or rejected. Refuses to delete or retire an agent with
 * live sessions. A forced retirement terminates them.
 */
export const followAgents = defineFollower(assets, async (ctx, { before, after, data }) => {
  if (before?.assetType !== "agent") return;
  const where = { liveAgentId: before.id };
  if (!after) return refuseLive(ctx, before.id, "in_use");
  const stopped = (state: string) => STOPPED.includes(state);
  if (stopped(after.governanceState) && !stopped(before.governanceState))
    await suspendLive(ctx, where, `Its agent was ${after.governanceState}.`);
  if (after.status !== "retired" || before.status === "retired") return;
  if (data.forced !== true) await refuseLive(ctx, before.id, "transition_guard_failed");
  await terminateLive(ctx, where, "Its agent was retired.");
});

async function refuseLive(ctx: Context, agentId: string, code: "in_use" | "transition_guard_failed"): Promise<void> {
  if (!(await hasLive(ctx, { liveAgentId: agentId }))) return;
  const detail = "Sessions of the agent are live.";
  const guards = [{ key: "noLiveSessions", ok: false, detail }];
  throw new ReeveError(code, detail, code === "in_use" ? {} : { members: { guards } });
}

/**
 * Terminates up to a batch of the sessions that a kill switch for one agent or tenant stops, within the transaction that
 * engages it. `tick` terminates the rest, and those that a switch for all tenants stops. Guards block all of them at
 * once.
 */
export async function endSwitchedOff(ctx: Context, key: string): Promise<void> {
  const target = switchTarget(key);
  if (!target) return;
  const where = target.kind === "asset" ? { liveAgentId: target.id } : ({ live: true } as const);
  await terminateLive(ctx, where, switchReason(key), { most: BATCH });
}

/**
 * Terminates sessions that a kill switch for all agents of a tenant or for one of them stops, one batch per transaction.
 * Returns how many.
 */
export async function runSessionJobs(env: Environment, tenantId: string): Promise<number> {
  const engaged = await engagedSwitch(env, tenantId, { id: null, assetType: "agent" });
  if (engaged !== undefined) return endAll(env, tenantId, { live: true }, engaged);
  let ended = 0;
  for (const { id, assetType } of await assetsSwitchedOff(env, tenantId))
    if (assetType === "agent") ended += await endAll(env, tenantId, { liveAgentId: id }, switchOfAsset(id));
  return ended;
}

async function endAll(env: Environment, tenantId: string, where: Concerned, key: string): Promise<number> {
  const reader = env.store.forTenant(tenantId);
  let ended = 0;
  while ((await reader.find(sessions, { where: { ...where }, size: 1 })).rows.length > 0) {
    const end = (ctx: Context) => terminateLive(ctx, where, switchReason(key), { most: BATCH });
    ended += await systemContext(env, tenantId, "tick").write(end);
  }
  return ended;
}
