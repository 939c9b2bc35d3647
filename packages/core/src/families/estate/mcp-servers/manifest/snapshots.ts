import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import type { McpClient, McpSnapshot } from "#ports/mcp.js";
import { z } from "#schema/z.js";

const McpServerSnapshot = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverId: z.string(),
  role: z.enum(["current", "approved"]),
  /** The snapshot as JSON text. The connector bounds its size. */
  content: z.string(),
});
type McpServerSnapshot = z.output<typeof McpServerSnapshot>;

/** The snapshots of each server: the last scan, and what is approved. At most one of each. */
export const mcpServerSnapshots = defineCollection<McpServerSnapshot>({
  name: "mcp_server_snapshots",
  prefix: "msn",
  schema: McpServerSnapshot,
  fields: { serverId: { type: "text", compare: "exact" }, role: { type: "text", compare: "exact" } },
  unique: { role: ["serverId", "role"] },
  secrets: ["content"],
});

/** A scan as it is kept, with what it depended on beside what it found. */
export interface KeptSnapshot extends McpSnapshot {
  /** As whom the server was asked. */
  readonly askedAs?: McpClient;
}

const ROLES = ["current", "approved"] as const;
type Role = (typeof ROLES)[number];

/** The snapshot of a server in a role. `undefined` when there is none. */
export async function readSnapshot(ctx: ReadContext, serverId: string, role: Role): Promise<KeptSnapshot | undefined> {
  const row = await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role });
  return row && (JSON.parse(row.value.content) as KeptSnapshot);
}

/** Replaces the snapshot of that role, within the transaction. */
export async function keepSnapshot(ctx: Context, serverId: string, role: Role, snapshot: KeptSnapshot): Promise<void> {
  const content = JSON.stringify(snapshot);
  const held = (await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role }))?.value;
  if (held) await ctx.update(mcpServerSnapshots, held, { content });
  else await ctx.insert(mcpServerSnapshots, { serverId, role, content });
}

/** Deletes the snapshots of a deleted server. */
export async function dropSnapshots(ctx: Context, serverId: string): Promise<void> {
  for (const role of ROLES) {
    const held = await ctx.db.lookup(mcpServerSnapshots, "role", { serverId, role });
    if (held) await ctx.remove(mcpServerSnapshots, held.value);
  }
}
