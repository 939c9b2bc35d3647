import { everyRow } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { TenantStop } from "../assets/containment/stops.js";
import { assets } from "../assets/schema.js";
import { isHalted } from "./rules.js";
import { type Halt, halts } from "./schema.js";

/** The most agents whose own activity shows a halt. */
const SHOWN = 1_000;

/** The halts of the tenant that are active, newest first. */
export async function activeHalts(ctx: ReadContext): Promise<readonly Halt[]> {
  return (await everyRow(ctx.db, halts, { where: { status: "active" } })).map(({ value }) => value);
}

/** The active halts as stops of assets. */
export async function haltStops(ctx: ReadContext): Promise<readonly TenantStop[]> {
  const active = await activeHalts(ctx);
  return active.map((halt) => ({
    code: `halt:${halt.scope}:${halt.id}`,
    applies: (asset) => isHalted(halt, asset),
  }));
}

/** Ids of the agents that a halt stops, for their own activity. A server stands in the halt itself. */
export async function haltedAgents(ctx: ReadContext, halt: Pick<Halt, "scope" | "target">): Promise<readonly string[]> {
  if (halt.scope === "mcp_server") return [];
  const [field, value] = halt.scope === "team" ? (["team", halt.target] as const) : (["assetType", "agent"] as const);
  const { rows } = await ctx.db.find(assets, { where: { [field]: value }, size: SHOWN });
  return rows.filter((row) => isHalted(halt, row.value)).map(({ id }) => id);
}
