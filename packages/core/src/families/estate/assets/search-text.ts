import type { AssetFields } from "./fields.js";

/** The fields of an asset that a search covers. */
interface Searched extends Pick<AssetFields, "description" | "externalRef" | "labels"> {
  readonly name: string;
  readonly metadata: unknown;
}

const MAX_LENGTH = 16_384;

/** The text that a search covers: name, description, external id, labels, and all keys and values of the metadata. */
export function searchText(asset: Searched): string {
  const parts = [asset.name, asset.description, asset.externalRef?.id ?? ""];
  for (const [key, value] of Object.entries(asset.labels)) parts.push(`${key}=${value}`);
  flatten(asset.metadata, parts);
  return parts.filter(Boolean).join("\n").slice(0, MAX_LENGTH).toWellFormed();
}

function flatten(value: unknown, parts: string[]): void {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) parts.push(key);
      flatten(inner, parts);
    }
  } else if (value !== null && value !== undefined) {
    parts.push(String(value));
  }
}
