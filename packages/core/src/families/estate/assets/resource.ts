import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { classifyAsset, lowerClass } from "./classify-operations.js";
import { changeCondition } from "./condition-operations.js";
import { usableDependencies } from "./containment/promotion.js";
import { listEffective, readEffective } from "./effective/operations.js";
import { patchGovernanceState } from "./governance-operations.js";
import { readGraph } from "./graph-operations.js";
import {
  listAssetActivity,
  listAssetFindings,
  listGovernanceHistory,
  listLifecycleHistory,
  readAssetEvent,
} from "./history-operations.js";
import { readImpact } from "./impact/operations.js";
import { dependencies } from "./lifecycle/dependencies.js";
import { assetLifecycle, governanceState } from "./machine.js";
import { keepOwners } from "./owners/leavers.js";
import { reassignAssets } from "./owners/operations.js";
import { assetLinks } from "./relations/links.js";
import { listRelations } from "./relations/operations.js";
import { assets } from "./schema.js";
import { listAssetVersions, readAssetVersion } from "./version-operations.js";

/** Assets: lifecycle, governance state, owners, relations, containment and impact. */
export const assetsResource = defineResource({
  collections: [assets, assetLinks],
  machines: [assetLifecycle, governanceState],
  operations: [
    reassignAssets,
    classifyAsset,
    listAssetActivity,
    readAssetEvent,
    listAssetFindings,
    patchGovernanceState,
    changeCondition,
    listGovernanceHistory,
    listLifecycleHistory,
    listAssetVersions,
    readAssetVersion,
    readEffective,
    listEffective,
    listRelations,
    readGraph,
    readImpact,
  ],
  permissions: {
    "ai-asset:read": { lets: "See AI assets, their histories and findings", heldBy: [...READERS, "member"] },
    "ai-asset:write": { lets: "Register and change AI assets", heldBy: ["operator", "member"] },
    "ai-asset:provenance": {
      lets: "Say by an import where AI assets were found and when",
      heldBy: ["operator"],
    },
    "ai-asset:delete": { lets: "Delete AI assets", heldBy: ["operator"] },
    "ai-asset:lifecycle": {
      lets: "Move the lifecycle of AI assets; owners may deprecate and retire their own",
      heldBy: ["governance_officer", "operator", "member"],
    },
    "ai-asset:promote": {
      lets: "Take any AI asset towards production and back",
      heldBy: ["governance_officer", "operator"],
    },
    "ai-asset:assign": {
      lets: "Name another owner or sponsor of any AI asset, and hand all assets of one person to another",
      heldBy: ["governance_officer"],
    },
    "ai-asset:retire": { lets: "Deprecate and retire any AI asset", heldBy: ["governance_officer", "operator"] },
    "ai-asset:restore": { lets: "Bring a retired AI asset back", heldBy: [], peopleOnly: true },
    "ai-governance:review": {
      lets: "Ask for review of an AI asset, and take it back",
      heldBy: ["governance_officer", "approver", "operator", "member"],
    },
    "ai-governance:approve": {
      lets: "Approve, reject and reinstate AI assets",
      heldBy: ["governance_officer", "approver"],
      peopleOnly: true,
    },
    "ai-governance:suspend": { lets: "Suspend AI assets", heldBy: ["governance_officer"] },
  },
  fourEyes: [lowerClass],
  follows: [keepOwners],
  extends: [extend(dependencies, usableDependencies)],
});
