import { ReeveError } from "../../../../kernel/http/errors.js";
import { defineFollower } from "../../../../kernel/operation/area.js";
import type { ReadContext } from "../../../../kernel/operation/read-context.js";
import { decide } from "../../assets/containment/decide.js";
import { containedBy } from "../../assets/containment/edges.js";
import { graphOf } from "../../assets/containment/graph.js";
import { incomingLinks } from "../../assets/relations/links.js";
import { type Asset, assets } from "../../assets/schema.js";
import { tools } from "../../tools/schema.js";
import { activeHalts } from "../queries.js";
import { isHalted } from "../rules.js";
import type { Halt } from "../schema.js";

/** 409 for an agent that would leave a team whose agents are halted, because that would lift the halt for it. */
export const keepHalted = defineFollower(assets, async (ctx, { before, after }) => {
  if (before?.assetType !== "agent" || !after || before.team === null) return;
  if (before.team.id === after.team?.id) return;
  const active = await activeHalts(ctx);
  if (active.some((halt) => halt.scope === "team" && isHalted(halt, before)))
    throw held("The agents of its team are halted.");
});

/**
 * 409 for a relation by which a halt reaches another asset, because its end would lift the halt for that one. A deletion
 * ends the relations that others declare to the asset too.
 */
export const keepHaltedRelations = defineFollower(assets, async (ctx, { before, after }) => {
  if (!before) return;
  const kept = new Set(after?.relations.map(keyOf));
  const ended = before.relations
    .filter((one) => !kept.has(keyOf(one)))
    .flatMap((one) => containerOf(before, one) ?? []);
  if (after && ended.length === 0) return;
  const active = await activeHalts(ctx);
  if (active.length === 0) return;
  const passers = after
    ? (await ctx.db.getMany(assets, [...new Set(ended)])).map(({ value }) => value)
    : ended.includes(before.id) || (await isDeclaredContainer(ctx, before.id))
      ? [before]
      : [];
  if (!(await anyHalted(ctx, passers, active))) return;
  const detail = "A halt reaches another asset by its relation.";
  throw after ? held(detail) : new ReeveError("in_use", detail);
});

/** Whether others say that they stand or fall with an asset, or say so much of it that nobody knows. */
async function isDeclaredContainer(ctx: ReadContext, targetId: string): Promise<boolean> {
  const { incoming, complete } = await incomingLinks(ctx, targetId);
  return !complete || incoming.some((link) => containedBy({ ...link, targetId }) === link.sourceId);
}

const keyOf = ({ type, targetId }: Asset["relations"][number]) => `${type} ${targetId}`;

/** The asset that a relation makes another one stand or fall with. */
function containerOf({ id }: Asset, { type, targetId }: Asset["relations"][number]): string | undefined {
  const contained = containedBy({ type, sourceId: id, targetId });
  if (contained === null) return undefined;
  return contained === id ? targetId : id;
}

/** Whether halts stop one of the assets, by itself or by what it depends on. */
async function anyHalted(ctx: ReadContext, all: readonly Asset[], active: readonly Halt[]): Promise<boolean> {
  const graph = await graphOf(ctx, all);
  const stopOf = (asset: Parameters<typeof isHalted>[1]) => {
    const halt = active.find((one) => isHalted(one, asset));
    return halt && `halt:${halt.id}`;
  };
  return all.some(({ id }) => decide(graph, id, stopOf, ctx.now).reasons.some((reason) => reason.startsWith("halt:")));
}

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
