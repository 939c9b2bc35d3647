import { isIdOf } from "#store/collection.js";
import { removedSideStream } from "../records/removed-side.js";
import type { ReadContext } from "./read-context.js";
import { tableOf } from "./table.js";

/**
 * The ids of a thing, in one order whichever of them is asked for: that of a record and of its other side, also after both
 * were removed. Any other id is alone.
 */
export async function sidesOf(ctx: ReadContext, id: string): Promise<readonly string[]> {
  const { collections } = ctx.env.use(tableOf);
  const collection = collections.find((one) => one.otherSide && isIdOf(one, id));
  if (!collection) return [id];
  const row = await ctx.db.get(collection, id);
  const other = row ? (collection.otherSide?.(row.value) ?? null) : await removedSide(ctx, id);
  return other === null ? [id] : [id, other].sort();
}

async function removedSide(ctx: ReadContext, id: string): Promise<string | null> {
  const [removal] = (await ctx.db.events({ stream: removedSideStream(id), size: 1 })).events;
  return removal ? (JSON.parse(removal.attributes) as { readonly subject: string }).subject : null;
}
