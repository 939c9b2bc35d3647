import { invalidProperty } from "../../../kernel/errors.js";
import { agentKind } from "../agents/kind.js";
import { identityKind } from "../identities/kind.js";
import { mcpServerKind } from "../mcp-servers/kind.js";
import { modelKind } from "../models/kind.js";
import { toolKind } from "../tools/kind.js";
import type { RecordKind } from "./kind.js";

/** Every kind of typed record. A new one is added here. */
export const RECORD_KINDS: readonly RecordKind[] = [agentKind, toolKind, identityKind, modelKind, mcpServerKind];

/** The kind of record that assets of this type have; `undefined` for types that have none. */
export function kindOf(assetType: string): RecordKind | undefined {
  return RECORD_KINDS.find((kind) => kind.assetType === assetType);
}

/** 400 when a change of type would leave a record without its asset, or an asset without its record. */
export function checkTypeChange(before: string, after: string | undefined): void {
  if (after === undefined || after === before || !(kindOf(before) ?? kindOf(after))) return;
  throw invalidProperty("/assetType", `An asset of type "${before}" cannot become "${after}".`, "read_only_property");
}
