import { isIdOf, type ListFilter } from "#store/collection.js";
import type { Reader } from "#store/store.js";
import { defineService, type Environment } from "../config/environment.js";
import type { Collection } from "../records/collection.js";
import { removedSideStream } from "../records/removed-side.js";

/** The collections whose records have another side. */
// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
export const sidedCollections = defineService<readonly Collection<any>[]>("kernel.sidedCollections", () => []);

interface Reading {
  readonly env: Environment;
  readonly db: Reader;
}

/**
 * The ids of a thing, in one order whichever of them is asked for: that of a record and of its other side, also after both
 * were removed. Any other id is alone.
 */
export async function sidesOf({ env, db }: Reading, id: string): Promise<readonly string[]> {
  const collection = env.use(sidedCollections).find((one) => isIdOf(one, id));
  if (!collection) return [id];
  const row = await db.get(collection, id);
  const other = row ? (collection.otherSide?.(row.value) ?? null) : await removedSide(db, id);
  return other === null ? [id] : [id, other].sort();
}

/** The id of the side that is a record of this collection, for the id of either; the same for any other id. */
export async function sideOf(ctx: Reading, collection: Pick<Collection, "prefix">, id: string): Promise<string> {
  return (await sidesOf(ctx, id)).find((one) => isIdOf(collection, one)) ?? id;
}

async function removedSide(db: Reader, id: string): Promise<string | null> {
  const [removal] = (await db.events({ stream: removedSideStream(id), size: 1 })).events;
  return removal ? (JSON.parse(removal.attributes) as { readonly subject: string }).subject : null;
}

/** The query of a list, with the ids that its filters hold in place of those of other sides. One read per kind. */
export async function bySides<Q extends object>(
  { env, db }: Reading,
  filters: Readonly<Record<string, ListFilter>>,
  query: Q,
): Promise<Q> {
  const given = query as Readonly<Record<string, readonly string[] | undefined>>;
  const named = Object.keys(filters).filter((name) => filters[name]?.ids !== undefined && given[name] !== undefined);
  if (named.length === 0) return query;
  const sided = env.use(sidedCollections);
  const stray = named.map((name) => {
    const kind = sided.find(({ resource }) => resource?.type === filters[name]?.ids);
    return [name, (kind && given[name]?.filter((id) => !isIdOf(kind, id))) ?? []] as const;
  });
  const asked = [...new Set(stray.flatMap(([, ids]) => ids))];
  if (asked.length === 0) return query;
  const found = await Promise.all(
    sided.map(async (one) => {
      const ids = asked.filter((id) => isIdOf(one, id));
      const rows = ids.length > 0 ? await db.getMany(one, ids) : [];
      return rows.map(({ id, value }) => [id, one.otherSide?.(value) ?? id] as const);
    }),
  );
  const others = new Map(found.flat());
  const meant = stray.map(([name, ids]) => {
    return [name, given[name]?.map((id) => (ids.includes(id) ? (others.get(id) ?? id) : id))] as const;
  });
  return { ...query, ...Object.fromEntries(meant) };
}
