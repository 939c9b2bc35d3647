import type { ReadContext } from "#kernel/operation/read-context.js";
import { type AccessResource, accessResources, resourceSubject } from "./schema.js";

/** The most resources that one lies in, each within the next. */
const DEPTH = 10;

/**
 * Which of some resources of a connection are left alone, by id, with the one whose mark says so. A resource without a
 * mark of its own follows what it lies in, and in the end the connection. Where that has no end, it is left alone.
 */
export async function unmanagedAmong(
  ctx: ReadContext,
  resources: readonly AccessResource[],
): Promise<Map<string, AccessResource>> {
  const unmanaged = new Map<string, AccessResource>();
  let open = resources.map((resource) => ({ id: resource.id, at: resource }));
  for (let depth = 0; depth < DEPTH && open.length > 0; depth += 1) {
    for (const { id, at } of open) if (at.managedMark === "unmanaged") unmanaged.set(id, at);
    const inherited = open.filter(({ at }) => at.managedMark === "inherit" && at.parent !== null);
    const parents = await parentsOf(
      ctx,
      inherited.map(({ at }) => at),
    );
    open = inherited.flatMap(({ id, at }) => {
      const parent = parents.get(parentKey(at));
      return parent ? [{ id, at: parent }] : [];
    });
  }
  for (const { id, at } of open) unmanaged.set(id, at);
  return unmanaged;
}

/** Why access to a resource is never changed; `undefined` where it may be. */
export async function whyUnmanaged(ctx: ReadContext, resourceId: string): Promise<string | undefined> {
  const resource = (await ctx.db.get(accessResources, resourceId))?.value;
  const by = resource && (await unmanagedAmong(ctx, [resource])).get(resource.id);
  return by && `"${by.name}" is marked as unmanaged: access there is never changed.`;
}

const parentKey = ({ connectorInstanceId, parent }: AccessResource): string =>
  JSON.stringify([connectorInstanceId, parent && resourceSubject(parent.type, parent.externalId)]);

async function parentsOf(ctx: ReadContext, children: readonly AccessResource[]): Promise<Map<string, AccessResource>> {
  const byKey = new Map(children.map((child) => [parentKey(child), child]));
  if (byKey.size === 0) return new Map();
  const keys = [...byKey.values()].map(({ connectorInstanceId, parent }) => ({
    connectorInstanceId,
    subject: parent && resourceSubject(parent.type, parent.externalId),
  }));
  const rows = await ctx.db.lookupMany(accessResources, "subject", keys);
  return new Map([...byKey.keys()].flatMap((key, at) => (rows[at] ? [[key, rows[at].value] as const] : [])));
}
