export { describeAddedKeys } from "./added-keys.js";
export { type SitedAsset, sitedAssets } from "./collections.js";
export { describeUpgrade, type Release, type UpgradeDatabase, type UpgradeOptions } from "./upgrade.js";
