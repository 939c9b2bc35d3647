import { ReeveError } from "../../../../kernel/http/errors.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import { assets } from "../../assets/schema.js";
import { tools } from "../../tools/schema.js";
import { activeHalts } from "../queries.js";
import { isHalted } from "../rules.js";

/** 409 for an agent that would leave a team whose agents are halted, because that would lift the halt for it. */
export const keepHalted = defineFollower(assets, async (ctx, { before, after }) => {
  if (before?.assetType !== "agent" || !after || before.team === null) return;
  if (before.team.id === after.team?.id) return;
  const active = await activeHalts(ctx);
  if (active.some((halt) => halt.scope === "team" && isHalted(halt, before)))
    throw held("The agents of its team are halted.");
});

/** 409 for a tool that would leave a halted MCP server, because that would lift the halt for it. */
export const keepHaltedTools = defineFollower(tools, async (ctx, { before, after }) => {
  if (!before?.serverId || !after || before.serverId === after.serverId) return;
  const active = await activeHalts(ctx);
  if (active.some(({ scope, target }) => scope === "mcp_server" && target === before.serverId))
    throw held("Its MCP server is halted.");
});

function held(detail: string): ReeveError {
  return new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "notHalted", ok: false, detail }] },
  });
}
