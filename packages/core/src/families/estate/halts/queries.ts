import type { ReadContext } from "../../../kernel/operation/read-context.js";
import { SIZE_LIMIT } from "../../../store/query.js";
import type { Position } from "../../../store/store.js";
import { assets } from "../assets/schema.js";
import { isHalted } from "./rules.js";
import { type Halt, halts } from "./schema.js";

/** The most agents whose own activity shows a halt. */
const SHOWN = 1_000;

/** The halts of the tenant that are active, newest first. */
export async function activeHalts(ctx: ReadContext): Promise<readonly Halt[]> {
  const active: Halt[] = [];
  let after: Position | undefined;
  do {
    const query = { where: { status: "active" }, size: SIZE_LIMIT, ...(after ? { after } : {}) };
    const { rows, next } = await ctx.db.find(halts, query);
    active.push(...rows.map(({ value }) => value));
    after = next;
  } while (after);
  return active;
}

/** Ids of the agents that a halt stops, for their own activity. A server stands in the halt itself. */
export async function haltedAgents(ctx: ReadContext, halt: Pick<Halt, "scope" | "target">): Promise<readonly string[]> {
  if (halt.scope === "mcp_server") return [];
  const [field, value] = halt.scope === "team" ? (["team", halt.target] as const) : (["assetType", "agent"] as const);
  const { rows } = await ctx.db.find(assets, { where: { [field]: value }, size: SHOWN });
  return rows.filter((row) => isHalted(halt, row.value)).map(({ id }) => id);
}
