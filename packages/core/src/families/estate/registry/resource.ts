import { defineResource } from "#families/resource.js";
import {
  createAsset,
  deleteAsset,
  listAssets,
  patchLifecycle,
  patchMetadata,
  readAsset,
  replaceAsset,
} from "./operations.js";

/** Operations on the register of assets. */
export const registryResource = defineResource({
  operations: [listAssets, createAsset, readAsset, replaceAsset, deleteAsset, patchLifecycle, patchMetadata],
});
