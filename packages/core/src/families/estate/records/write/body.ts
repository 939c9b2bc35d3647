import type { GenericBody } from "../../../../kernel/records/generic-body.js";
import { type AssetBody, type EstateBody, readEstateBody } from "../../assets/register/body.js";
import { type RecordKind, SharedFields } from "../declare/kind.js";

/** The fields that a generic body sets on a record, with those it shares with its asset. */
export interface RecordBody extends EstateBody<Record<string, unknown>> {
  readonly shared: AssetBody["fields"];
}

/** Reads a generic body as a record. `current` is the stored record, whose read-only values a body may repeat. */
export function readRecordBody(kind: RecordKind, body: GenericBody, current: object = {}): RecordBody {
  const { fields, ...rest } = readEstateBody(body, kind.givenFields, kind.readOnlyNames, current);
  const isShared = ([name]: [string, unknown]) => name in SharedFields.shape;
  const entries = Object.entries(fields);
  return {
    ...rest,
    fields: Object.fromEntries(entries.filter((entry) => !isShared(entry))),
    shared: Object.fromEntries(entries.filter(isShared)) as RecordBody["shared"],
  };
}
