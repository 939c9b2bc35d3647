import { ReeveError } from "#kernel/http/errors.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { containedBy } from "../../assets/containment/edges.js";
import { graphOf } from "../../assets/containment/graph.js";
import { type SingleStops, singleStopsOf } from "../../assets/containment/stops.js";
import { incomingLinks } from "../../assets/relations/links.js";
import { type Asset, assets } from "../../assets/schema.js";
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

/**
 * 409 for a relation by which a halt or a kill switch reaches another asset, because its end would free that one. A deletion
 * ends the relations that others declare to the asset too.
 */
export const keepHaltedRelations = defineFollower(assets, async (ctx, { before, after }) => {
  if (!before) return;
  const kept = new Set(after?.relations.map(keyOf));
  const ended = before.relations
    .filter((one) => !kept.has(keyOf(one)))
    .flatMap((one) => containerOf(before, one) ?? []);
  if (after && ended.length === 0) return;
  const stops = await singleStopsOf(ctx);
  if (!stops) return;
  const passers = after
    ? (await ctx.db.getMany(assets, [...new Set(ended)])).map(({ value }) => value)
    : ended.includes(before.id) || (await isDeclaredContainer(ctx, before.id))
      ? [before]
      : [];
  if (!(await anyStopped(ctx, passers, stops))) return;
  const detail = "A halt or a kill switch reaches another asset by its relation.";
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

/**
 * Whether one of the assets is stopped, by itself or by what it depends on, whatever else denies it. What depends on more
 * than is read counts as stopped.
 */
async function anyStopped(ctx: ReadContext, all: readonly Asset[], stops: SingleStops): Promise<boolean> {
  const graph = await graphOf(ctx, all);
  return [...graph.nodes.values()].some(
    ({ asset, containers, overfull }) => stops(asset) || overfull || containers.some(({ id }) => !graph.reached(id)),
  );
}

/** 409 for a tool that would leave an MCP server which is stopped, because that would lift the stop for it. */
export const keepHaltedTools = defineFollower(tools, async (ctx, { before, after }) => {
  if (!before?.serverId || !after || before.serverId === after.serverId) return;
  const stops = await singleStopsOf(ctx);
  if (stops?.({ id: before.serverId, assetType: "mcp_server" }))
    throw held("Its MCP server is halted, or switched off by the provider.");
});

function held(detail: string): ReeveError {
  return new ReeveError("transition_guard_failed", detail, {
    members: { guards: [{ key: "notHalted", ok: false, detail }] },
  });
}
