import { assets } from "#families/estate/index.js";
import { observe } from "#families/findings/index.js";
import type { Context } from "#kernel/operation/context.js";
import type { Installation } from "../installations/schema.js";
import { latestPublication } from "../publications/compute-set.js";
import { PUBLISHED_CLIENTS } from "../publications/fields.js";
import type { Cell } from "./rules.js";

/** The most servers of one export that findings are opened about. */
const MOST = 20;

/**
 * Opens a finding about each MCP server that an installation uses and that was not published to it. Where nothing was
 * published to its client yet, nobody has said what may be used.
 */
export async function judgeServers(ctx: Context, installation: Installation, cells: readonly Cell[]): Promise<void> {
  const { agentId, client, id, name, team } = installation;
  const used = [...new Set(cells.flatMap(({ server }) => (server === null ? [] : [server])))];
  const of = PUBLISHED_CLIENTS.find((one) => one === client);
  if (used.length === 0 || of === undefined) return;
  const latest = await latestPublication(ctx, agentId, of);
  if (!latest) return;
  const published = new Set(latest.entries.map((entry) => entry.name.toLowerCase()));
  const agent = (await ctx.db.get(assets, agentId))?.value;
  if (!agent) return;
  for (const server of used.filter((one) => !published.has(one.toLowerCase())).slice(0, MOST))
    await observe(ctx, {
      ...{ ruleKey: "unpublished_server_used", assetId: agentId, assetName: agent.name, severity: "high" },
      locus: `${id} ${server}`,
      title: "An MCP server is used that was not published",
      message: `"${name}" reports calls of the MCP server "${server}", which publication ${latest.number} for ${client} does not have.`,
      remediation:
        "Ask who has set it up, and why the client let it in. Register and approve it, or take it away there.",
      values: { installationId: id, client, team, server, publication: latest.number, reportedAt: ctx.now },
    });
}
