import { defineFamily } from "../../kernel/family.js";
import { patchGovernanceState, readEffective } from "./assets/governance-operations.js";
import {
  listAssetActivity,
  listAssetFindings,
  listGovernanceHistory,
  listLifecycleHistory,
  readAssetEvent,
} from "./assets/history-operations.js";
import { assetLifecycle, governanceState } from "./assets/machine.js";
import {
  createAsset,
  deleteAsset,
  listAssets,
  patchLifecycle,
  patchMetadata,
  readAsset,
  replaceAsset,
} from "./assets/operations.js";
import { assets } from "./assets/schema.js";

export { Asset, assets } from "./assets/schema.js";

/** The governed AI assets of an organisation. */
export const estate = defineFamily({
  name: "estate",
  collections: [assets],
  machines: [assetLifecycle, governanceState],
  operations: [
    listAssets,
    createAsset,
    readAsset,
    replaceAsset,
    deleteAsset,
    listAssetActivity,
    readAssetEvent,
    listAssetFindings,
    patchGovernanceState,
    listGovernanceHistory,
    patchLifecycle,
    listLifecycleHistory,
    patchMetadata,
    readEffective,
  ],
});
