import type { z } from "zod";
import { invalidProperty, ReeveError } from "../../../kernel/errors.js";
import type { GenericBody } from "../../../kernel/generic-body.js";
import { parseBody } from "../../../kernel/input.js";
import { type AssetBody, type EstateBody, readAssetBody, readEstateBody } from "../assets/body.js";
import { ASSET_DEFAULTS } from "../assets/fields.js";
import { JOINED_READ_ONLY, type RecordKind } from "../records/kind.js";
import { kindOf } from "../records/kinds.js";
import { keyOf, type Mention, type NaturalKey, takeFromRecord, takeFromRelations } from "./mentions.js";
import { ImportItem } from "./schema.js";

type OwnBody = EstateBody<Readonly<Record<string, unknown>>>;

/** An item that was found sound, before anything was asked of the store. */
export interface ReadItem {
  readonly ref: string | undefined;
  readonly key: NaturalKey;
  readonly kind: RecordKind | undefined;
  readonly asset: AssetBody;
  /** What the item says of the typed record; `undefined` when it says nothing. */
  readonly own: OwnBody | undefined;
  /** Handles among the relations, and in the fields of the record; stand-ins hold their places. */
  readonly relations: readonly Mention[];
  readonly references: readonly Mention[];
  /** The natural keys that handles mean, by handle. */
  readonly keys: ReadonlyMap<Mention, NaturalKey>;
}

/** Checks an item as far as it can be without the store. */
export function readItem(given: unknown): ReadItem {
  const { ref, record, ...body } = parseBody(ImportItem, given as Record<string, unknown>) as z.output<
    typeof ImportItem
  >;
  const { body: plain, mentions: relations } = takeFromRelations(body);
  const asset = readAssetBody(plain as GenericBody);
  const { assetType, provider, environment, externalRef } = { ...ASSET_DEFAULTS, ...asset.fields };
  if (!externalRef) {
    throw invalidProperty("/externalRef", "An import needs `externalRef.id`: by it the asset is known again.");
  }
  const key = { assetType, provider, externalId: externalRef.id, environment };
  const kind = kindOf(assetType);
  const { own, references } = record
    ? within("/record", () => readOwn(kind, record, assetType))
    : { own: undefined, references: [] };
  const keys = new Map<Mention, NaturalKey>();
  for (const mention of [...relations, ...references]) {
    const meant = keyOf(mention, key);
    if (meant) keys.set(mention, meant);
  }
  return { ref, key, kind, asset, own, relations, references, keys };
}

function readOwn(
  kind: RecordKind | undefined,
  record: GenericBody,
  assetType: string,
): { own: OwnBody; references: Mention[] } {
  if (!kind) throw invalidProperty("", `Assets of type "${assetType}" have no record of their own.`);
  const { body, mentions } = takeFromRecord(record, kind.references);
  const own = readEstateBody(body as GenericBody, ownFields(kind), JOINED_READ_ONLY);
  return { own, references: mentions.map((each) => ({ ...each, pointer: `/record${each.pointer}` })) };
}

const schemas = new WeakMap<RecordKind, z.ZodObject>();

/** What a caller may set on a record, all of it optional; made once for each kind. */
function ownFields(kind: RecordKind): z.ZodObject {
  let schema = schemas.get(kind);
  if (!schema) {
    schema = kind.fields.partial();
    schemas.set(kind, schema);
  }
  return schema;
}

/** Says of the faults that `work` finds that they lie below `pointer`. */
export function within<T>(pointer: string, work: () => T): T {
  const below = (error: unknown): unknown => {
    if (!(error instanceof ReeveError) || error.errors.length === 0) return error;
    const { code, detail, members, headers, cause } = error;
    const errors = error.errors.map((each) =>
      each.pointer === undefined ? each : { ...each, pointer: `${pointer}${each.pointer}` },
    );
    return new ReeveError(code, detail, { errors, members, headers, cause });
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw below(error);
    }) as T;
  } catch (error) {
    throw below(error);
  }
}
