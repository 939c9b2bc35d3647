import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import { defineFourEyes, involvedIn, requireFourEyes } from "#kernel/operation/four-eyes.js";
import { withInvolved } from "#kernel/records/involved.js";
import { type McpServer, mcpServers } from "../schema.js";

export const letIn = defineFourEyes("mcpServer: accept tools", "Accepting the tools of an MCP server as they come");

/** Whether its tools are accepted as they come, and were not before. */
export function isLoosened(after: Pick<McpServer, "trustMode">, before: McpServer | undefined): boolean {
  return after.trustMode === "auto_accept" && before?.trustMode !== "auto_accept";
}

/** 403 for who registered, changed or owns the server. */
export async function requireAnother(ctx: Context, server: McpServer): Promise<void> {
  await requireFourEyes(ctx, {
    act: letIn.act,
    subject: subjectOf(mcpServers, server.id),
    name: server.name,
    // Whoever registered it stays involved, whatever was decided since.
    involved: withInvolved(involvedIn(server), [server.createdBy]),
    related: [server.assetId],
  });
}

/** What was trusted is the server at its address, so another address is not. */
export function trustAfter(changed: readonly string[], before: McpServer): Pick<McpServer, "trustMode"> | undefined {
  return before.trustMode === "auto_accept" && changed.length > 0 ? { trustMode: "baseline" } : undefined;
}
