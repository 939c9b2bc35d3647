import { foldText } from "#store/comparison.js";
import type { AssetFields } from "./fields.js";

const LENGTH = 200;

/** Type and name of an asset without case, punctuation and spaces. Assets that share it may be duplicates. */
export function likenessOf({ assetType, name }: Pick<AssetFields, "assetType"> & { readonly name: string }): string {
  const words = foldText(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [name];
  return `${assetType} ${words.join("").slice(0, LENGTH).toWellFormed()}`;
}
