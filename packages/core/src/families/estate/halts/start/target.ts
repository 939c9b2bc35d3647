import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { isIdOf } from "#store/collection.js";
import { assets } from "../../assets/schema.js";
import { mcpServers } from "../../mcp-servers/schema.js";
import type { Halt } from "../schema.js";

/**
 * What a new halt names: `null` of all agents, the id of a team, or of a server's asset. 400 `invalid_reference` for a
 * team without assets and for a server that is not of this tenant.
 */
export async function targetOf(ctx: ReadContext, scope: Halt["scope"], given: string | undefined) {
  if (scope === "all_agents") {
    if (given === undefined) return null;
    throw invalidProperty("/target", "A halt of all agents has none.");
  }
  if (given === undefined) throw invalidProperty("/target", "Name the team or the MCP server.");
  const found = scope === "team" ? await teamOf(ctx, given) : await serverOf(ctx, given);
  if (found !== undefined) return found;
  const missing = scope === "team" ? "No asset is of this team." : "There is no MCP server with this id.";
  throw invalidProperty("/target", missing, "invalid_reference");
}

async function teamOf(ctx: ReadContext, id: string): Promise<string | undefined> {
  const { rows } = await ctx.db.find(assets, { where: { team: id }, size: 1 });
  return rows.length > 0 ? id : undefined;
}

async function serverOf(ctx: ReadContext, id: string): Promise<string | undefined> {
  if (isIdOf(mcpServers, id)) return (await ctx.db.get(mcpServers, id))?.value.assetId;
  const asset = isIdOf(assets, id) ? (await ctx.db.get(assets, id))?.value : undefined;
  return asset?.assetType === "mcp_server" ? asset.id : undefined;
}
