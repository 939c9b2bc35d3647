import { invalidProperty } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Collection } from "#kernel/records/collection.js";
import { isIdOf, type StoredRecord } from "#store/collection.js";
import type { AssetFields } from "../fields.js";

type Relations = AssetFields["relations"];
type Related = StoredRecord & { readonly relations: Relations };

/** The ids that are of no asset of this tenant. */
export async function missingTargets<R extends StoredRecord>(
  ctx: ReadContext,
  assets: Collection<R>,
  ids: readonly string[],
): Promise<string[]> {
  const targets = [...new Set(ids)];
  const found = await ctx.db.getMany(
    assets,
    targets.filter((id) => isIdOf(assets, id)),
  );
  const known = new Set(found.map((row) => row.id));
  return targets.filter((id) => !known.has(id));
}

/** Types of relations that must not form a cycle. */
const ONE_WAY: readonly Relations[number]["type"][] = ["derived_from", "hosted_on"];
const MOST_STEPS = 64;
const MOST_ASSETS = 1_000;

/**
 * 400 `invalid_reference` when an added relation would point to its own asset, or would close a cycle of a type that
 * allows none. It follows relations breadth-first with one query per step, and refuses paths that are too long.
 */
export async function checkRelations<R extends Related>(
  ctx: ReadContext,
  assets: Collection<R>,
  { id, relations: before }: R,
  after: Relations,
): Promise<void> {
  const had = new Set(before.map(({ type, targetId }) => `${type} ${targetId}`));
  const added = after
    .map(({ type, targetId }, at) => ({ type, targetId, at }))
    .filter(({ type, targetId }) => !had.has(`${type} ${targetId}`));
  const own = added.find(({ targetId }) => targetId === id);
  if (own) throw wrong(own.at, "An asset has no relation to itself.");
  for (const way of ONE_WAY) {
    const starts = added.filter(({ type }) => type === way).map(({ targetId, at }) => [targetId, at] as const);
    await follow(ctx, assets, way, id, new Map(starts));
  }
}

/** Follows one type of relation. Each asset reached is mapped to the index of the relation that it was reached by. */
async function follow<R extends Related>(
  ctx: ReadContext,
  assets: Collection<R>,
  way: Relations[number]["type"],
  home: string,
  starts: ReadonlyMap<string, number>,
): Promise<void> {
  const reached = new Map(starts);
  let step = [...starts.keys()];
  for (let steps = 0; step.length > 0; steps += 1) {
    const [first] = step as [string];
    if (steps === MOST_STEPS || reached.size > MOST_ASSETS)
      throw wrong(reached.get(first) as number, `Too many relations "${way}" follow from this one.`);
    const rows = await ctx.db.getMany(
      assets,
      step.filter((id) => isIdOf(assets, id)),
    );
    step = [];
    for (const { id, value } of rows) {
      const at = reached.get(id) as number;
      for (const { type, targetId } of value.relations) {
        if (type !== way || reached.has(targetId)) continue;
        if (targetId === home) throw wrong(at, `By relations "${way}" this asset would follow from itself.`);
        reached.set(targetId, at);
        step.push(targetId);
      }
    }
  }
}

function wrong(at: number, message: string): Error {
  return invalidProperty(`/relations/${at}/targetId`, message, "invalid_reference");
}
