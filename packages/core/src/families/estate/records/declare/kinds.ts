import type { Environment } from "../../../../kernel/config/environment.js";
import { defineExtensionPoint } from "../../../../kernel/config/extension.js";
import { invalidProperty } from "../../../../kernel/http/errors.js";
import type { RecordKind } from "./kind.js";

/** Every kind of typed record; each resource that is one says so. */
export const recordKinds = defineExtensionPoint<RecordKind>("estate.recordKinds");

/** The kind of record that assets of this type have; `undefined` for types that have none. */
export function kindOf(env: Environment, assetType: string): RecordKind | undefined {
  return env.use(recordKinds).find((kind) => kind.assetType === assetType);
}

/** 400 when a change of type would leave a record without its asset, or an asset without its record. */
export function checkTypeChange(env: Environment, before: string, after: string | undefined): void {
  if (after === undefined || after === before || !(kindOf(env, before) ?? kindOf(env, after))) return;
  throw invalidProperty("/assetType", `An asset of type "${before}" cannot become "${after}".`, "read_only_property");
}
