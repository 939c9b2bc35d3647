import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Facts } from "../../origins/rules.js";
import { origins } from "../../origins/schema.js";
import { type KnownFacts, linksOf } from "./facts.js";

/** The most accounts and machines that are followed for one decision. */
export const MOST_FOLLOWED = 500;

/** Reads where these ids come from, and who is behind those, one query a generation. */
export async function readFacts(
  ctx: ReadContext,
  start: readonly string[],
): Promise<{ readonly known: KnownFacts; readonly cut: boolean }> {
  const known = new Map<string, Facts>();
  const asked = new Set<string>();
  let wanted = [...new Set(start)];
  while (wanted.length > 0) {
    const room = wanted.slice(0, MOST_FOLLOWED - asked.size);
    if (room.length < wanted.length) return { known, cut: true };
    for (const id of room) asked.add(id);
    const rows = await ctx.db.getMany(origins, room);
    for (const { id, value } of rows) known.set(id, value);
    const next = rows.flatMap(({ value }) => linksOf(value).map(({ to }) => to));
    wanted = [...new Set(next)].filter((id) => !asked.has(id));
  }
  return { known, cut: false };
}
