import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { type Answering, answersFor, isFirst } from "../assets/owners/hand-over.js";
import { assets } from "../assets/schema.js";

/**
 * 403 unless the caller may say that an agent runs as an identity, because the machine of that identity acts for the
 * agent from then on: who answers for the agent, or may assign that. No machine says it of an agent that is there.
 */
export async function requireAnswering(ctx: Context, agent: Answering): Promise<void> {
  const { kind, userId } = ctx.principal;
  if (kind === "system" || answersFor(agent, userId) || (await isFirst(ctx, agent))) return;
  if (kind === "client")
    throw new ReeveError("permission_denied", "People say which identity an agent runs as, and no machine does.");
  requirePermission(ctx.env, ctx.principal, "ai-asset:assign");
}

/** The same for agents by their assets. */
export async function requireAnsweringFor(ctx: Context, agentIds: readonly string[]): Promise<void> {
  for (const { value } of await ctx.db.getMany(assets, agentIds)) await requireAnswering(ctx, value);
}
