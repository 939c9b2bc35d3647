import type { ImportItem } from "../../src/index.js";

const TYPES = ["model", "tool", "agent", "identity", "mcp_server", "dataset"] as const;

/** A handle for another asset of the same import, by its external id. */
export const named = (at: number) => ({ externalId: `ext-${at}` });

/** Item `n` of an estate in which agents use the model and the tool before them. */
export function importItem(n: number, more: Partial<ImportItem> = {}): ImportItem {
  const assetType = TYPES[n % TYPES.length] as (typeof TYPES)[number];
  const uses = { record: { modelIds: [named(n - 2)], toolIds: [named(n - 1)] } };
  return {
    name: `imported ${n}`,
    assetType,
    provider: "cmdb",
    environment: "staging",
    externalRef: { id: `ext-${n}` },
    metadata: { note: `zimtstern ${n}` },
    ...(assetType === "agent" ? uses : {}),
    ...more,
  };
}

/** Items `from` to `from + count`. */
export function importItems(count: number, from = 0): ImportItem[] {
  return Array.from({ length: count }, (_, at) => importItem(from + at));
}
