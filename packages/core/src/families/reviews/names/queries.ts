import { installations } from "#families/enforcement/index.js";
import { agents, assets, identities, mcpServers, models, tools } from "#families/estate/index.js";
import { policies } from "#families/governance/index.js";
import { users } from "#families/identity/index.js";
import { visibilityOf } from "#families/platform/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { eventReaders } from "#kernel/operation/shown-events.js";
import type { Collection } from "#kernel/records/collection.js";
import { isIdOf } from "#store/collection.js";
import type { Named } from "./schema.js";

type NamedCollection = Pick<Collection, "prefix" | "resource">;

/** Everything that acts, and what decisions are about. */
// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
const NAMED: readonly Collection<any>[] = [
  ...[users, identities, agents, assets, tools, models, mcpServers, policies],
  installations,
];

/** Whoever hands reviews on sees people by name. */
const SEES_PEOPLE = "review:assign";

/**
 * The names behind ids, in the order asked, of the kinds that the caller may see. One read for each kind. With `people`
 * those of users too, because a review tells its people to whoever may see it.
 */
export async function namesOf(
  ctx: ReadContext,
  ids: readonly string[],
  { people = false }: { readonly people?: boolean } = {},
): Promise<Named[]> {
  const wanted = [...new Set(ids)];
  const [readable, maySee] = [readableTo(ctx), visibilityOf(ctx)];
  const shown = (collection: NamedCollection) =>
    readable(typeOf(collection) ?? "") || (collection === users && (people || maySee(SEES_PEOPLE)));
  const kinds = NAMED.map((collection) => ({ collection, own: wanted.filter((id) => isIdOf(collection, id)) }));
  const read = kinds.filter(({ collection, own }) => own.length > 0 && shown(collection));
  const found = await Promise.all(read.map(({ collection, own }) => ctx.db.getMany(collection, own)));
  const names = new Map(found.flat().map(({ id, value }) => [id, (value as { readonly name: string }).name]));
  return wanted.map((id) => {
    if (id === "system") return { id, type: "system", name: null, hidden: false };
    const { collection } = kinds.find(({ own }) => own.includes(id)) ?? {};
    if (!collection) return { id, type: null, name: null, hidden: false };
    return { id, type: typeOf(collection), name: names.get(id) ?? null, hidden: !shown(collection) };
  });
}

const typeOf = ({ resource }: NamedCollection) => resource?.type ?? null;

/** Whether the caller may read records of a kind, as events name it. */
export function readableTo(ctx: ReadContext): (type: string) => boolean {
  const readers = ctx.env.use(eventReaders);
  const maySee = visibilityOf(ctx);
  return (type) => (Object.hasOwn(readers, type) ? (readers[type] ?? []) : []).some(maySee);
}
