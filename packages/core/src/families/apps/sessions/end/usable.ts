import { assets, deniedBecause, type EffectiveDecision, effectiveOfAll, identities } from "#families/estate/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { Principal } from "#kernel/config/principal.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/**
 * Why AI identities may not act now, by their ids: what stops the identity itself, or all agents that run as it. Those
 * that may act, and those that are not there, have no entry.
 */
export async function deniedIdentities(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EffectiveDecision>> {
  const found = await inChunks(ids, (some) => ctx.db.getMany(identities, some));
  const wanted = [...new Set(found.flatMap(({ value }) => [value.assetId, ...value.agentIds]))];
  const rows = await inChunks(wanted, (some) => ctx.db.getMany(assets, some));
  const effective = await effectiveOfAll(
    ctx,
    rows.map((row) => ctx.derived(assets, row)),
  );
  const isDenied = (decided: EffectiveDecision | undefined) => decided?.decision === "deny";
  return new Map(
    found.flatMap(({ id, value }): [string, EffectiveDecision][] => {
      const own = effective.get(value.assetId);
      if (own && isDenied(own)) return [[id, own]];
      const agents = value.agentIds.flatMap((agentId) => effective.get(agentId) ?? []);
      const [first] = agents;
      return first && agents.every(isDenied) ? [[id, first]] : [];
    }),
  );
}

/** 403 with the reason for an AI identity that may not act now: a kill switch, a halt, or what it depends on. */
export async function requireUsable(ctx: ReadContext, { kind, userId }: Principal): Promise<void> {
  if (kind !== "client") return;
  const denial = (await deniedIdentities(ctx, [userId])).get(userId);
  if (denial) throw new ReeveError("permission_denied", `The AI identity may not act (${deniedBecause(denial)}).`);
}
