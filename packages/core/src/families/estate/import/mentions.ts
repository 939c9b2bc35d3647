import { invalidProperty } from "../../../kernel/errors.js";
import type { AssetReference } from "../records/kind.js";
import { Handle } from "./schema.js";

/** What tells an asset from all others of its tenant, where its source gave it an id. */
export type NaturalKey = Readonly<Record<"assetType" | "provider" | "externalId" | "environment", string>>;

/** A place in an item that names another asset by a handle instead of an id. */
export interface Mention {
  /** `relations`, or the field of the record. */
  readonly field: string;
  readonly place: number;
  readonly pointer: string;
  readonly handle: Handle;
  /** The type a named asset has when the handle does not say. */
  readonly assetType: string | undefined;
}

type Body = Record<string, unknown>;

/** What stands in for a handle until the id is known: like an id it is text, and no two are alike. */
const standIn = (at: number): string => `handle ${at}`;

/** Takes the handles out of the relations of an asset's body. */
export function takeFromRelations(body: Body): { readonly body: Body; readonly mentions: readonly Mention[] } {
  return takeFrom(body, ["relations"], (list, at) =>
    list.map((relation: unknown, place) => {
      if (typeof relation !== "object" || relation === null) return relation;
      const { targetId } = relation as { readonly targetId?: unknown };
      const taken = at(place, `${place}/targetId`, targetId, undefined);
      return taken === targetId ? relation : { ...relation, targetId: taken };
    }),
  );
}

/** Takes the handles out of the fields of a record that hold ids of assets. */
export function takeFromRecord(
  body: Body,
  references: readonly AssetReference[],
): { readonly body: Body; readonly mentions: readonly Mention[] } {
  const fields = references.map(({ field }) => field);
  return takeFrom(body, fields, (list, at, field) => {
    const { assetType } = references.find((each) => each.field === field) as AssetReference;
    return list.map((id: unknown, place) => at(place, `${place}`, id, assetType));
  });
}

type At = (place: number, path: string, value: unknown, assetType: string | undefined) => unknown;

/** Known fields may stand at top level or inside `configuration`. */
function takeFrom(
  body: Body,
  fields: readonly string[],
  through: (list: readonly unknown[], at: At, field: string) => unknown[],
): { readonly body: Body; readonly mentions: readonly Mention[] } {
  const mentions: Mention[] = [];
  const taken = (part: Body, pointer: string): Body => {
    const changed: Body = {};
    for (const field of fields) {
      const list = part[field];
      if (!Array.isArray(list)) continue;
      const at: At = (place, path, value, assetType) => {
        if (typeof value !== "object" || value === null) return value;
        const where = `${pointer}/${field}/${path}`;
        mentions.push({ field, place, pointer: where, handle: readHandle(value, where), assetType });
        return standIn(mentions.length);
      };
      changed[field] = through(list, at, field);
    }
    return { ...part, ...changed };
  };
  const { configuration } = body;
  const inner = isObject(configuration) ? { configuration: taken(configuration, "/configuration") } : {};
  return { body: { ...taken(body, ""), ...inner }, mentions };
}

function readHandle(value: object, pointer: string): Handle {
  const parsed = Handle.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidProperty(pointer, "Give an id, `{ref}`, or `{externalId, assetType, provider, environment}`.");
}

/** The natural key that a handle means: what it leaves out is as on the item that holds it. */
export function keyOf({ handle, assetType, pointer }: Mention, own: NaturalKey): NaturalKey | undefined {
  if ("ref" in handle) return undefined;
  const type = handle.assetType ?? assetType;
  if (type === undefined) throw invalidProperty(pointer, "Say which `assetType` the other asset has.");
  return {
    assetType: type,
    provider: handle.provider ?? own.provider,
    externalId: handle.externalId,
    environment: handle.environment ?? own.environment,
  };
}

/** A list with ids in place of the handles. 400 when two places name one asset where each may be named once. */
export function withIds(list: readonly string[], ids: ReadonlyMap<number, string>, pointer: string): string[] {
  const named = list.map((id, place) => ids.get(place) ?? id);
  const twice = named.findIndex((id, place) => named.indexOf(id) < place);
  if (twice < 0) return named;
  throw invalidProperty(`${pointer}/${twice}`, "The same asset appears twice.");
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
