import { assets, deniedBecause, identities, surveyOf } from "#families/estate/index.js";
import { platformGates } from "#families/platform/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import type { Session } from "../schema.js";

/**
 * Why sessions are blocked whatever their state, by session id: by their tenant, a kill switch, or what their
 * agent and identity depend on. Rejects when that cannot be read.
 */
export async function stopsOfSessions(
  ctx: ReadContext,
  all: readonly Session[],
): Promise<(session: Session) => string | undefined> {
  const tenant = await ctx.env.use(platformGates).tenant(ctx.db.tenantId);
  if (tenant?.status !== "active") return () => "tenant_suspended";
  const identityIds = [...new Set(all.flatMap(({ identityId }) => identityId ?? []))];
  const records = await inChunks(identityIds, (some) => ctx.db.getMany(identities, some));
  const identityAssets = new Map(records.map(({ id, value }) => [id, value.assetId]));
  const ids = [...new Set([...all.flatMap(({ agentId }) => agentId ?? []), ...identityAssets.values()])];
  const known = ids.filter((id) => isIdOf(assets, id));
  const rows = await inChunks(known, (some) => ctx.db.getMany(assets, some));
  const { effective, stopOf } = await surveyOf(
    ctx,
    rows.map((row) => ctx.derived(assets, row)),
  );
  const denialOf = (id: string | null | undefined) => {
    const decided = id ? effective.get(id) : undefined;
    return decided?.decision === "deny" ? decided : undefined;
  };
  return ({ agentId, identityId }) => {
    // An identity that was deleted was perhaps disabled before.
    if (identityId && !identityAssets.has(identityId)) return "identity_unknown";
    const denial = denialOf(agentId) ?? denialOf(identityId && identityAssets.get(identityId));
    if (denial) return deniedBecause(denial);
    return stopOf({ id: agentId, assetType: "agent" });
  };
}
