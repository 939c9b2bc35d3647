export { describeAddedKeys } from "./added-keys.js";
export { type SitedAsset, sitedAssets } from "./collections.js";
export { describeUpgrades, type Fixture, fixturesIn } from "./fixtures.js";
export { describeUpgrade, type Release, type UpgradeDatabase, type UpgradeOptions } from "./upgrade.js";
