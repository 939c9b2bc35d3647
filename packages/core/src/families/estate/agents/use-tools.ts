import type { Context } from "#kernel/operation/context.js";
import { changeAsset } from "../assets/lifecycle/moves.js";
import { assets } from "../assets/schema.js";
import { changeRecord } from "../records/write/change.js";
import { withExpiry } from "../records/write/to-change.js";
import { agentKind } from "./record-kind.js";
import { type Agent, agents } from "./schema.js";

/** Has an agent use more tools. An approved one goes back to review when it comes to use another. */
export async function useTools(ctx: Context, agent: Agent, toolIds: readonly string[]): Promise<Agent> {
  const before = await withExpiry(ctx, agents, agent);
  const all = [...new Set([...before.toolIds, ...toolIds])];
  const after = await changeRecord(ctx, agentKind, before, { fields: { toolIds: all }, free: {} }, undefined);
  const changed = agentKind.material?.(before, after) ?? [];
  if (changed.length === 0) return after;
  await changeAsset(ctx, await ctx.getOrThrow(assets, before.assetId), {}, changed);
  return ctx.getOrThrow(agents, after.id);
}
