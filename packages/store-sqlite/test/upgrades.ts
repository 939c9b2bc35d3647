import type { StoredCollection } from "@reeve/core/store";
import type { Release, SitedAsset } from "@reeve/testkit";
import { addFields, type Migration, settleKeys, settleShape } from "../src/index.js";

/** The migrations of a release after those of the fixture. */
export function upgradesOf(release: Release, collection: StoredCollection<SitedAsset>): readonly Migration[] {
  if (release === "before") return [];
  const added = addFields(2, "sites", collection, { shape: 2, fields: ["site", "tag"] });
  if (release === "present") return [added];
  return [added, settleKeys(3, "tags settled", collection, 2), settleShape(4, "sites settled", collection, 2)];
}
