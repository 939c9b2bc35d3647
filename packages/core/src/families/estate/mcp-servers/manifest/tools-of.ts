import type { Context } from "#kernel/operation/context.js";
import type { McpTool } from "#ports/mcp.js";
import { EventLoopYielder } from "#store/event-loop.js";
import { dispatchedBy } from "../../tools/effects-dispatcher.js";
import { acceptTool, observeTool, registerServerTool, removeTool } from "../../tools/observed-pin.js";
import type { Pin } from "../../tools/pin-tool.js";
import { type Tool, tools } from "../../tools/schema.js";
import type { McpServer } from "../schema.js";
import { contentOf } from "./pin.js";

/** The most stored tools of one server, removed ones included. It bounds a server that invents names. */
export const MOST_TOOLS = 1_000;

/** All stored tools of a server, by name. */
export async function toolsOf(ctx: Context, { assetId }: McpServer): Promise<Map<string, Tool>> {
  const { rows } = await ctx.db.find(tools, { where: { serverId: assetId }, size: MOST_TOOLS });
  return new Map(rows.map(({ value }) => [value.toolName ?? "", value]));
}

/** Whether the listed tools fit within the limit. */
export function hasRoom(held: ReadonlyMap<string, Tool>, listed: readonly McpTool[]): boolean {
  return held.size + listed.filter(({ name }) => !held.has(name)).length <= MOST_TOOLS;
}

/** The tools of a server after a scan, and the differences from before. */
export interface FollowedTools {
  readonly tools: readonly Tool[];
  readonly added: readonly Tool[];
  /** Approved tools whose content changed. */
  readonly changed: readonly Tool[];
  readonly removed: readonly Tool[];
  /** Tools that are back, or have their approved content again. */
  readonly restored: readonly Tool[];
}

/** Registers new tools and stores changed and removed ones. Tools with an unchanged pin are not written. */
export async function followTools(
  ctx: Context,
  server: McpServer,
  held: ReadonlyMap<string, Tool>,
  listed: readonly McpTool[],
  pins: ReadonlyMap<string, string>,
): Promise<FollowedTools> {
  const [now, added, moved]: [Tool[], Tool[], { before: Tool; after: Tool }[]] = [[], [], []];
  const names = new Set(listed.map(({ name }) => name));
  const accept = async (tool: Tool) =>
    // What a tool does that runs others is not seen by looking at it, so a person reviews it.
    server.trustMode === "auto_accept" &&
    (tool.status === "pending_review" || tool.status === "changed") &&
    dispatchedBy(tool) === undefined
      ? acceptTool(ctx, tool, "Tools of this server are accepted as they come.")
      : tool;
  const yielder = new EventLoopYielder();
  for (const tool of listed) {
    if (yielder.isDue) await yielder.pass();
    const before = held.get(tool.name);
    const content = contentOf(tool);
    if (!before) {
      const fresh = await accept(await registerServerTool(ctx, server, content));
      added.push(fresh);
      now.push(fresh);
      continue;
    }
    const seen = isKnown(before, pins.get(tool.name)) ? before : await observeTool(ctx, before, content);
    const after = await accept(seen);
    if (after !== before) moved.push({ before, after });
    now.push(after);
  }
  for (const [name, before] of held) {
    if (names.has(name)) continue;
    const after = await removeTool(ctx, before);
    if (after !== before) moved.push({ before, after });
    now.push(after);
  }
  return { tools: now, added, ...sorted(moved) };
}

/** Whether a scan of this tool changes nothing. */
function isKnown({ pin, status, seenAt }: Tool, digest: string | undefined): boolean {
  return pin.current === digest && seenAt !== null && status !== "removed" && isAligned(pin, status);
}

/** Whether a status matches the state of the pin. */
function isAligned({ state }: Pin, status: Tool["status"]): boolean {
  return !(status === "approved" && state === "drifted") && !(status === "changed" && state === "in_sync");
}

function sorted(
  moved: readonly { before: Tool; after: Tool }[],
): Pick<FollowedTools, "changed" | "removed" | "restored"> {
  const to = (wanted: (before: Tool, after: Tool) => boolean) =>
    moved.filter(({ before, after }) => wanted(before, after)).map(({ after }) => after);
  return {
    changed: to((before, after) => after.pin.state === "drifted" && after.pin.current !== before.pin.current),
    removed: to((before, after) => after.status === "removed" && before.status !== "removed"),
    restored: to(
      (before, after) =>
        (before.status === "removed" && after.status !== "removed") ||
        (before.status === "changed" && after.status === "approved"),
    ),
  };
}

/** How many tools are in each status. */
export function countTools(all: readonly Tool[]): McpServer["toolCounts"] {
  const counts = { approved: 0, pending_review: 0, changed: 0, blocked: 0, removed: 0 };
  for (const { status } of all) counts[status] += 1;
  return counts;
}
