import type { Context } from "#kernel/operation/context.js";
import { everyRow } from "#kernel/operation/every-page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { panelKey, reviewPanels } from "../schema.js";

/** Finds or makes the panels of some sets of people, with one query for all. The answer has the id of each, in order. */
export async function panelsOf(ctx: Context, sets: readonly (readonly string[])[]): Promise<(string | null)[]> {
  const sorted = sets.map((members) => [...new Set(members)].sort());
  const keys = sorted.map((members) => (members.length === 0 ? null : panelKey(members)));
  const wanted = new Map(keys.flatMap((key, at) => (key === null ? [] : [[key, sorted[at] as string[]] as const])));
  const asked = [...wanted.keys()];
  const found = await ctx.db.lookupMany(
    reviewPanels,
    "key",
    asked.map((key) => ({ key })),
  );
  const ids = new Map(asked.flatMap((key, at) => (found[at] ? [[key, found[at]?.id as string] as const] : [])));
  const missing = asked.filter((key) => !ids.has(key)).map((key) => ({ members: wanted.get(key) as string[] }));
  for (const { id, members } of await ctx.insertMany(reviewPanels, missing)) ids.set(panelKey(members), id);
  return keys.map((key) => (key === null ? null : (ids.get(key) ?? null)));
}

/** Ids of the panels that somebody is in. */
export async function panelsWith(ctx: ReadContext, userId: string): Promise<string[]> {
  return (await everyRow(ctx.db, reviewPanels, { where: { members: userId } })).map(({ id }) => id);
}
