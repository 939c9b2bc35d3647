import { invalidProperty } from "#kernel/http/errors.js";
import type { AssetReference } from "../../records/declare/kind.js";
import { Handle } from "../schema.js";

/** What identifies an asset of a tenant in its source. */
export type NaturalKey = Readonly<Record<"assetType" | "provider" | "externalId" | "environment", string>>;

/** A natural key as text, by which to find it again. */
export function textOf({ assetType, provider, externalId, environment }: NaturalKey): string {
  return JSON.stringify([assetType, provider, externalId, environment]);
}

/** A place in an item where a handle stands for the id of another asset. */
export interface Mention {
  /** A unique placeholder in the form of an id, used until the id is known. */
  readonly standIn: string;
  readonly pointer: string;
  readonly handle: Handle;
  /** The type of the other asset when the handle does not name it. */
  readonly assetType: string | undefined;
}

type Body = Record<string, unknown>;
interface Taken {
  readonly body: Body;
  readonly mentions: readonly Mention[];
}

/** Replaces the handles in an asset's relations by placeholders. */
export function takeFromRelations(body: Body): Taken {
  return takeFrom(body, "", ["relations"], (relations, _field, pointer, take) =>
    each(relations, (relation, at) => {
      if (!isObject(relation)) return relation;
      return { ...relation, targetId: take(relation.targetId, `${pointer}/${at}/targetId`, undefined) };
    }),
  );
}

/** Replaces the handles in a record's reference fields by placeholders. */
export function takeFromRecord(body: Body, references: readonly AssetReference[]): Taken {
  const types = new Map(references.map(({ field, assetType }) => [field, assetType]));
  return takeFrom(body, "/record", [...types.keys()], (held, field, pointer, take) => {
    if (!Array.isArray(held)) return take(held, pointer, types.get(field));
    return each(held, (id, at) => take(id, `${pointer}/${at}`, types.get(field)));
  });
}

type Take = (value: unknown, pointer: string, assetType: string | undefined) => unknown;

/** Known fields may be at the top level or in `configuration`. */
function takeFrom(
  body: Body,
  root: string,
  fields: readonly string[],
  through: (held: unknown, field: string, pointer: string, take: Take) => unknown,
): Taken {
  const mentions: Mention[] = [];
  const take: Take = (value, pointer, assetType) => {
    if (!isObject(value)) return value;
    const standIn = `handle ${root}#${mentions.length}`;
    mentions.push({ standIn, pointer, handle: readHandle(value, pointer), assetType });
    return standIn;
  };
  const without = (part: Body, pointer: string): Body => {
    const named = fields.filter((field) => Object.hasOwn(part, field));
    const changed = named.map((field) => [field, through(part[field], field, `${pointer}/${field}`, take)]);
    return { ...part, ...Object.fromEntries(changed) };
  };
  const { configuration } = body;
  const taken = without(body, root);
  if (!isObject(configuration)) return { body: taken, mentions };
  return { body: { ...taken, configuration: without(configuration, `${root}/configuration`) }, mentions };
}

function readHandle(value: Body, pointer: string): Handle {
  const parsed = Handle.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidProperty(pointer, "Give an id, `{ref}`, or `{externalId, assetType, provider, environment}`.");
}

/**
 * The natural key that a handle stands for. `undefined` for a `ref`. Missing parts are taken from the item that has the
 * handle.
 */
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

function each(list: unknown, change: (value: unknown, at: number) => unknown): unknown {
  return Array.isArray(list) ? list.map(change) : list;
}

export function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
