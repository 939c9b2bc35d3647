import type { GenericBody } from "../../../../kernel/records/generic-body.js";
import { type AssetBody, type EstateBody, readEstateBody } from "../../assets/register/body.js";
import { type RecordKind, SharedFields } from "../declare/kind.js";

/** What a generic body wants of a record: its own fields, and those it shares with its asset. */
export interface RecordBody extends EstateBody<Record<string, unknown>> {
  readonly shared: AssetBody["fields"];
}

/** Reads a generic body as a record's. `current` is the record as it stands, for read-only names sent back unchanged. */
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
