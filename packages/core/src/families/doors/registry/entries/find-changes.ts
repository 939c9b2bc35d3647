import { GOOD_FOR, type JudgedServers } from "#families/enforcement/index.js";
import { type Asset, halts, type McpServer } from "#families/estate/index.js";
import { killSwitches, PLATFORM_TENANT, switchOfAsset, switchOfTenant } from "#families/platform/index.js";
import { inChunks } from "#kernel/async/in-chunks.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { timestamp } from "#ports/clock.js";

/** The newest halts of a server that are looked at. */
const HALTS = 20;

/** When each server may last have come into the registry, gone out of it or changed in it. Never before it really did. */
export async function changesOf(
  ctx: ReadContext,
  servers: readonly McpServer[],
  { survey, assets }: JudgedServers,
): Promise<ReadonlyMap<McpServer, string>> {
  const nodes = [...survey.graph.nodes.values()].map(({ asset }) => asset);
  const ids = [...new Set([...nodes.map(({ id }) => id), ...servers.map(({ assetId }) => assetId)])];
  const general = ["ai.all", "ai.mcp", switchOfTenant(ctx.db.tenantId)];
  const keys = [...general, ...ids.map(switchOfAsset)];
  const [halted, switched] = await Promise.all([
    inChunks(ids, async (values) => [...(await ctx.db.findTopPerKey(halts, { field: "target", values, size: HALTS }))]),
    inChunks(keys, (some) => ctx.committed(PLATFORM_TENANT).getMany(killSwitches, some)),
  ]);
  const haltsOf = new Map(halted);
  const switches = new Map(switched.map(({ id, value }) => [id, value.updatedAt]));
  const ofAsset = (asset: Asset): string[] => [
    asset.updatedAt,
    ...endsOf(ctx, asset),
    ...(haltsOf.get(asset.id) ?? []).map(({ value }) => value.updatedAt),
    switches.get(switchOfAsset(asset.id)) ?? "",
  ];
  const always = general.map((key) => switches.get(key) ?? "");
  return new Map(
    servers.map((server) => {
      const asset = assets.get(server.assetId);
      const held = asset ? heldBy(survey, asset.id) : [];
      const times = [server.updatedAt, ...always, ...(asset ? ofAsset(asset) : []), ...held.flatMap(ofAsset)];
      return [server, times.sort().at(-1) ?? server.updatedAt];
    }),
  );
}

/** The past times at which an asset stopped being approved by itself. */
const endsOf = (ctx: ReadContext, { approvedUntil, reviewUntil }: Asset): string[] =>
  [
    ...(approvedUntil === null ? [] : [timestamp(Date.parse(approvedUntil) - GOOD_FOR)]),
    ...(reviewUntil === null ? [] : [reviewUntil]),
  ].filter((end) => end <= ctx.now);

/** What an asset stands or falls with. */
function heldBy({ graph }: JudgedServers["survey"], id: string): Asset[] {
  const seen = new Set<string>([id]);
  for (const one of seen) for (const container of graph.nodes.get(one)?.containers ?? []) seen.add(container.id);
  return [...seen].flatMap((one) => {
    const node = one === id ? undefined : graph.nodes.get(one);
    return node ? [node.asset] : [];
  });
}
