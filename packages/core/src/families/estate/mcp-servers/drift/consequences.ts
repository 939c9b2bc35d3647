import type { Context } from "#kernel/operation/context.js";
import { changeAsset } from "../../assets/lifecycle/moves.js";
import { governanceState, isApproved } from "../../assets/machine.js";
import { type Asset, assets } from "../../assets/schema.js";
import { type McpServer, mcpServers } from "../schema.js";

/**
 * The consequences of drift. Under `strict` the asset is suspended. Otherwise it goes back to review if the option
 * `reReviewOn` includes `manifest`.
 */
export async function applyDriftConsequences(ctx: Context, server: McpServer): Promise<McpServer> {
  if (server.manifest.state !== "drifted") return server;
  const asset = await ctx.getOrThrow(assets, server.assetId);
  if (server.trustMode === "strict") await suspend(ctx, asset);
  else if (isApproved(asset.governanceState)) await changeAsset(ctx, asset, {}, ["manifest"]);
  return ctx.getOrThrow(mcpServers, server.id);
}

async function suspend(ctx: Context, asset: Asset): Promise<void> {
  if (asset.governanceState === "suspended" || asset.governanceState === "rejected") return;
  await ctx.transition(
    assets,
    governanceState,
    asset,
    { event: "suspend" },
    {
      triggeredBy: "policy",
      reason: "The MCP server offers something else than what was approved.",
      patch: { priorGovernanceState: asset.governanceState },
    },
  );
}
