import type { AssetReference } from "../../records/declare/kind.js";
import type { ReadItem } from "../read/item.js";
import type { Content } from "./put.js";

/** Ids by the placeholders that stand for them. `null`: the reference is left out. */
export type NamedIds = Map<string, string | null>;

/** The values to store for an item, with these ids instead of placeholders. */
export function contentOf({ sayer, kind, asset, own }: ReadItem, ids: NamedIds): Content {
  const relations = asset.fields.relations?.flatMap((relation) => {
    const targetId = idFor(relation.targetId, ids);
    return typeof targetId === "string" ? [{ ...relation, targetId }] : [];
  });
  return {
    sayer,
    kind,
    asset: relations ? { ...asset, fields: { ...asset.fields, relations } } : asset,
    own: own && { ...own, fields: withIds(own.fields, kind?.references ?? [], ids) },
  };
}

/** Fields of a record with ids instead of placeholders. */
function withIds(
  fields: Readonly<Record<string, unknown>>,
  references: readonly AssetReference[],
  ids: NamedIds,
): Record<string, unknown> {
  const changed = { ...fields };
  for (const { field } of references) {
    const held = fields[field];
    if (Array.isArray(held)) changed[field] = held.map((each) => idFor(each, ids)).filter((id) => id !== null);
    else if (typeof held === "string") changed[field] = idFor(held, ids);
    if (changed[field] === null && held !== null) delete changed[field];
  }
  return changed;
}

function idFor(held: unknown, ids: NamedIds): unknown {
  if (typeof held !== "string") return held;
  const id = ids.get(held);
  return id === undefined ? held : id;
}
