import type { AssetFields } from "../fields.js";
import type { Link } from "../relations/link.js";

/** What a record says of other assets: how it relates to them, and whether it must find them. */
export interface Reference {
  readonly relation: Link["type"];
  /** Which end of the relation the named assets are. */
  readonly end: "source" | "target";
  readonly assetType: AssetFields["assetType"];
  readonly ids: readonly string[];
}

/** An asset that another one stands or falls with. */
export interface Container {
  readonly id: string;
  readonly relation: Link["type"];
  /** Whether a typed record names it, so that it must exist. */
  readonly required: boolean;
}

/** The end of a relation that stands or falls with the other end. Relations of other types hold nobody. */
const CONTAINED: Readonly<Partial<Record<Link["type"], "source" | "target">>> = {
  exposes: "target",
  delegates_to: "target",
  runs_as: "source",
  hosted_on: "source",
};

/** The asset that a relation makes stand or fall with the other end, for the index. `null` when it does so with none. */
export function containedBy({ type, sourceId, targetId }: Link): string | null {
  const end = CONTAINED[type];
  return end === undefined ? null : end === "source" ? sourceId : targetId;
}

/** What an asset stands or falls with, by its record, its own relations and those that others declare. */
export function containersOf(
  relations: AssetFields["relations"],
  references: readonly Reference[],
  links: readonly Link[],
): Container[] {
  const named = references.flatMap(({ relation, end, assetType, ids }) =>
    CONTAINED[relation] === opposite(end) || (assetType === "model" && end === "target")
      ? ids.map((id): Container => ({ id, relation, required: true }))
      : [],
  );
  const linked = links.map(({ type, sourceId, targetId }): Container => {
    const id = CONTAINED[type] === "source" ? targetId : sourceId;
    return { id, relation: type, required: false };
  });
  // Whether it is a model, and so holds the asset, is known only once it is read.
  const used = relations
    .filter(({ type }) => type === "uses")
    .map(({ targetId }): Container => ({ id: targetId, relation: "uses", required: false }));
  const all = [...named, ...linked, ...used];
  return all.filter(({ id }, at) => at === all.findIndex((other) => other.id === id));
}

const opposite = (end: "source" | "target") => (end === "source" ? "target" : "source");
