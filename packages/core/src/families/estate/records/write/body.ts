import type { z } from "zod";
import type { Environment } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { ASSET_DEFAULTS } from "../../assets/fields.js";
import { type AssetBody, type EstateBody, readEstateBody } from "../../assets/register/body.js";
import { Asset } from "../../assets/schema.js";
import type { RecordKind } from "../declare/kind.js";
import { kindOf } from "../declare/kinds.js";

/** The fields that a generic body sets on a record and on its asset. */
export interface RecordBody extends EstateBody<Record<string, unknown>> {
  readonly shared: AssetBody["fields"];
}

/** Reads a generic body as a record. `current` is the stored record, whose read-only values a body may repeat. */
export function readRecordBody(kind: RecordKind, body: GenericBody, current?: object): RecordBody {
  const known = current ?? { ...ASSET_DEFAULTS, ...kind.defaults };
  const { fields, ...rest } = readEstateBody(body, kind.givenFields, kind.readOnlyNames, current, { known });
  const isOwn = ([name]: [string, unknown]) => name in kind.ownFields.shape;
  const entries = Object.entries(fields);
  return {
    ...rest,
    fields: Object.fromEntries(entries.filter(isOwn)),
    shared: Object.fromEntries(entries.filter((entry) => !isOwn(entry))) as RecordBody["shared"],
  };
}

/**
 * 400 for fields of an asset in its record, or the reverse. `known` are the fields of the other side, `where` is its
 * place.
 */
export function refuseElsewhere(body: GenericBody, known: (name: string) => boolean, where: string): void {
  const misplaced = [
    ...Object.keys(body).map((name) => ({ name, pointer: `/${name}` })),
    ...Object.keys(body.configuration ?? {}).map((name) => ({ name, pointer: `/configuration/${name}` })),
  ].filter(({ name }) => known(name));
  if (misplaced.length === 0) return;
  throw new ReeveError("invalid_request", undefined, {
    errors: misplaced.map(({ pointer }) => ({ pointer, code: "invalid_request", message: where })),
  });
}

/** 400 for a body of an asset that has fields of its typed record. */
export function refuseRecordFields(env: Environment, assetType: string | undefined, body: GenericBody): void {
  const kind = kindOf(env, assetType ?? ASSET_DEFAULTS.assetType);
  if (!kind) return;
  const { shape } = kind.collection.schema as z.ZodObject;
  const isOwn = (name: string) => name in shape && !(name in Asset.shape);
  refuseElsewhere(body, isOwn, `A field of the record of the asset: set it at ${kind.collection.resource?.path}.`);
}
