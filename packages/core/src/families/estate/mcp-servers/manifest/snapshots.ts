import { z } from "zod";
import type { Context } from "../../../../kernel/operation/context.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { defineCollection } from "../../../../kernel/records/collection.js";
import { Time } from "../../../../kernel/records/record.js";
import type { McpSnapshot } from "../../../../ports/mcp.js";

const McpServerSnapshot = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverId: z.string(),
  role: z.enum(["current", "approved"]),
  /** The snapshot as JSON text; the connector's bounds hold for it. */
  content: z.string(),
});
type McpServerSnapshot = z.output<typeof McpServerSnapshot>;

/** What each server showed at the last scan, and what of it is approved: one of each at most. */
export const mcpServerSnapshots = defineCollection<McpServerSnapshot>({
  name: "mcp_server_snapshots",
  prefix: "msn",
  schema: McpServerSnapshot,
  fields: { serverId: { type: "text" }, role: { type: "text" } },
  unique: { role: ["serverId", "role"] },
  secrets: ["content"],
});

const ROLES = ["current", "approved"] as const;
type Role = (typeof ROLES)[number];

/** The snapshot that a server has in a role; `undefined` when there is none. */
export async function readSnapshot(ctx: ReadContext, serverId: string, role: Role): Promise<McpSnapshot | undefined> {
  const row = await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role });
  return row && (JSON.parse(row.value.content) as McpSnapshot);
}

/** Puts a snapshot in the place of the one in that role, in the open transaction. */
export async function keepSnapshot(ctx: Context, serverId: string, role: Role, snapshot: McpSnapshot): Promise<void> {
  const content = JSON.stringify(snapshot);
  const held = (await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role }))?.value;
  if (held) await ctx.update(mcpServerSnapshots, held, { content });
  else await ctx.insert(mcpServerSnapshots, { serverId, role, content });
}

/** Takes the snapshots away together with their server. */
export async function dropSnapshots(ctx: Context, serverId: string): Promise<void> {
  for (const role of ROLES) {
    const held = await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role });
    if (held) await ctx.remove(mcpServerSnapshots, held.value);
  }
}
