import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import type { McpSnapshot } from "#ports/mcp.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { skeletonOf } from "./confusables.js";
import type { Warning } from "./warnings.js";

/** The most servers stored for one name. */
const MOST_SERVERS = 8;

const McpName = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  serverIds: z.array(z.string()).max(MOST_SERVERS),
});
type McpName = z.output<typeof McpName>;

/** Names of MCP servers and their tools, by skeleton, so that one query finds all that look alike. */
export const mcpNames = defineCollection<McpName>({
  name: "mcp_names",
  prefix: null,
  schema: McpName,
  secrets: [],
});

const toolKey = (name: string) => sha256(`tool ${skeletonOf(name)}`);
const serverKey = (name: string) => sha256(`server ${skeletonOf(name)}`);

/** Stores which names a server uses, within the transaction. */
export async function claimNames(ctx: Context, serverId: string, seen: Pick<McpSnapshot, "tools" | "serverInfo">) {
  const keys = new Set(seen.tools.map(({ name }) => toolKey(name)));
  if (seen.serverInfo) keys.add(serverKey(seen.serverInfo.name));
  const held = new Map((await ctx.db.getMany(mcpNames, [...keys])).map(({ id, value }) => [id, value]));
  const fresh = [...keys].filter((key) => !held.has(key));
  await ctx.insertMany(
    mcpNames,
    fresh.map((id) => ({ id, serverIds: [serverId] })),
  );
  for (const name of held.values()) {
    const { serverIds } = name;
    if (serverIds.includes(serverId) || serverIds.length >= MOST_SERVERS) continue;
    await ctx.update(mcpNames, name, { serverIds: [...serverIds, serverId] });
  }
}

/** Warnings about names that other servers use too. `isThere` tells which of those still exist. */
export async function nameWarnings(
  ctx: ReadContext,
  serverId: string,
  seen: Pick<McpSnapshot, "tools" | "serverInfo">,
  isThere: (serverIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Warning[]> {
  const toolKeys = seen.tools.map(({ name }) => toolKey(name));
  const ownKey = seen.serverInfo && serverKey(seen.serverInfo.name);
  const rows = await ctx.db.getMany(mcpNames, [...new Set([...toolKeys, ...(ownKey ? [ownKey] : [])])]);
  const others = new Map(rows.map(({ id, value }) => [id, value.serverIds.filter((other) => other !== serverId)]));
  const there = await isThere([...new Set([...others.values()].flat())]);
  const holder = (key: string) => others.get(key)?.find((other) => there.has(other));
  const found = toolKeys.flatMap((key, index): Warning[] => {
    const detail = holder(key);
    return detail ? [{ code: "same_name_elsewhere", pointer: `/tools/${index}/name`, detail }] : [];
  });
  const namesake = ownKey && holder(ownKey);
  if (namesake) found.push({ code: "server_name_taken", pointer: "/serverInfo/name", detail: namesake });
  return found;
}
