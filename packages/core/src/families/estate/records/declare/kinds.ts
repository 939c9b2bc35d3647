import type { Environment } from "#kernel/config/environment.js";
import { defineExtensionPoint } from "#kernel/config/extension.js";
import { invalidProperty } from "#kernel/http/errors.js";
import type { RecordKind } from "./kind.js";

/** Extension point: every kind of typed record. */
export const recordKinds = defineExtensionPoint<RecordKind>("estate.recordKinds");

/** The kind of typed record for this asset type. `undefined` when the type has none. */
export function kindOf(env: Environment, assetType: string): RecordKind | undefined {
  return env.use(recordKinds).find((kind) => kind.assetType === assetType);
}

/** 400 for a change of type when either type has typed records. */
export function checkTypeChange(env: Environment, before: string, after: string | undefined): void {
  if (after === undefined || after === before || !(kindOf(env, before) ?? kindOf(env, after))) return;
  throw invalidProperty("/assetType", `An asset of type "${before}" cannot become "${after}".`, "read_only_property");
}
