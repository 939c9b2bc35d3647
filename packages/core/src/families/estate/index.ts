import { defineFamily } from "../../kernel/family.js";
import { patchGovernanceState, readEffective } from "./assets/governance-operations.js";
import {
  listAssetActivity,
  listAssetFindings,
  listGovernanceHistory,
  listLifecycleHistory,
  readAssetEvent,
} from "./assets/history-operations.js";
import { assetLinks } from "./assets/links.js";
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
import { listRelations } from "./assets/relation-operations.js";
import { assets } from "./assets/schema.js";
import {
  createCredential,
  listCredentials,
  revokeIdentityCredential,
  rotateIdentityCredential,
} from "./identities/credential-operations.js";
import { identityStatus } from "./identities/machine.js";
import { identityOperations } from "./identities/operations.js";
import { identities } from "./identities/schema.js";

export { Asset, assets } from "./assets/schema.js";
export { Identity, identities } from "./identities/schema.js";

/** The governed AI assets of an organisation, and the typed records that stand beside them. */
export const estate = defineFamily({
  name: "estate",
  collections: [assets, assetLinks, identities],
  machines: [assetLifecycle, governanceState, identityStatus],
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
    listRelations,
    identityOperations.list,
    identityOperations.create,
    identityOperations.read,
    identityOperations.replace,
    identityOperations.remove,
    listCredentials,
    createCredential,
    rotateIdentityCredential,
    revokeIdentityCredential,
  ],
});
