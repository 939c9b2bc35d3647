import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, involvedIn, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { withBufferedWrites } from "#kernel/pipeline/batch/with-buffered-writes.js";
import { NONE_INVOLVED } from "#kernel/records/involved.js";
import type { McpSnapshot } from "#ports/mcp.js";
import { dispatchedBy } from "../../tools/effects-dispatcher.js";
import { approveTool } from "../../tools/observed-pin.js";
import type { Tool } from "../../tools/schema.js";
import { manifestDigest, NO_OFFER, offerOf, withTools } from "../manifest/manifest.js";
import { about } from "../manifest/record-health.js";
import { keepSnapshot, readSnapshot } from "../manifest/snapshots.js";
import { countTools, toolsOf } from "../manifest/tools-of.js";
import { type McpServer, mcpServers } from "../schema.js";

export const approveOffer = defineFourEyes("mcpServer: approve tools", "Approving what an MCP server offers");

export interface Approval {
  /** The digest of the manifest that the reviewer saw. */
  readonly manifestDigest: string;
  /** Approve only these tools. When absent, approve everything that the server offers. */
  readonly toolNames?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Approves what a server offered in the last scan. 409 `manifest_mismatch` when the reviewer saw another manifest.
 * Without names it approves all except tools that are blocked or run others. With names it approves only those tools.
 */
export async function approveManifest(ctx: Context, server: McpServer, approval: Approval): Promise<McpServer> {
  const { manifest } = server;
  if (manifest.current === null || manifest.current !== approval.manifestDigest)
    throw new ReeveError("manifest_mismatch", undefined, { members: { current: manifest.current } });
  const current = await readSnapshot(ctx, server.id, "current");
  if (!current) throw new Error(`server ${server.id} has a manifest and no snapshot`);
  const names = chosen(approval, current);
  const held = await toolsOf(ctx, server);
  const approved = [...held.values()].filter((tool) => isApprovedBy(tool, names, approval.toolNames !== undefined));
  const done = new Map<string, Tool>();
  const involved = involvedIn(server);
  await requireFourEyes(ctx, {
    act: approveOffer.act,
    subject: subjectOf(mcpServers, server.id),
    name: server.name,
    involved,
    related: [server.assetId],
  });
  await withBufferedWrites(ctx, async (many) => {
    for (const tool of approved) done.set(tool.id, await approveTool(many, tool, involved.ids, approval.reason));
  });
  const before = approval.toolNames ? await readSnapshot(ctx, server.id, "approved") : undefined;
  const offer = approval.toolNames ? withTools(before ?? NO_OFFER, current, names) : current;
  await keepSnapshot(ctx, server.id, "approved", { ...current, ...offerOf(offer) });
  const digest = manifestDigest(offer);
  const state = digest === manifest.current ? "in_sync" : "drifted";
  const toolCounts = countTools([...held.values()].map((tool) => done.get(tool.id) ?? tool));
  const decided: Partial<McpServer> = {
    manifest: { ...manifest, approved: digest, state },
    toolCounts,
    involved: NONE_INVOLVED,
  };
  const next = await ctx.update(mcpServers, server, decided);
  const { reason = null, metadata = {} } = approval;
  const facts = { manifestDigest: manifest.current, state, tools: [...names], reason, metadata };
  await ctx.emit({ type: "mcp.tool.approved", ...about(next, facts) });
  return next;
}

/** The names to approve. 400 for a tool that the server does not offer. */
function chosen({ toolNames }: Approval, { tools }: McpSnapshot): ReadonlySet<string> {
  const offered = new Set(tools.map(({ name }) => name));
  if (!toolNames) return offered;
  const unknown = toolNames.findIndex((name) => !offered.has(name));
  if (unknown === -1) return new Set(toolNames);
  const pointer = `/toolNames/${unknown}`;
  throw new ReeveError("invalid_reference", "The server does not offer this tool.", {
    errors: [{ pointer, code: "invalid_reference", message: "The server does not offer this tool." }],
  });
}

/** Whether an approval changes a tool. One that is blocked, or that runs others, is approved only by name. */
function isApprovedBy(tool: Tool, names: ReadonlySet<string>, byName: boolean): boolean {
  const { toolName, status } = tool;
  if (!names.has(toolName ?? "") || status === "approved" || status === "removed") return false;
  return byName || (status !== "blocked" && dispatchedBy(tool) === undefined);
}
