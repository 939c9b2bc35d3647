import { collections } from "@reeve/core/reference";
import type { StoredCollection, StoredRecord } from "@reeve/core/store";
import { defineCollection } from "@reeve/core/testing";

/** An asset as the present release stores it, as far as the upgrade tests are concerned. */
export interface StoredAsset extends StoredRecord {
  readonly name: string;
  readonly environment: string | null;
}

/** An asset as a later release might store it: with a site, which follows from its environment, and a unique tag. */
export interface SitedAsset extends StoredAsset {
  readonly site: string;
  readonly tag: string | null;
}

/** The collection of the present release. */
export const assets = collections.find(({ name }) => name === "ai_assets") as unknown as StoredCollection<StoredAsset>;

export const siteOf = ({ environment }: Pick<StoredAsset, "environment">) => `site of ${environment ?? "nothing"}`;

/** A name of this form is a tag too. Others have none. */
export const tagOf = ({ name }: Pick<StoredAsset, "name">) => (name.startsWith("tag ") ? name : null);

/** The collection of a later release. `seen` hears of each record that is brought to its shape. */
export function sitedAssets(seen: (id: string) => void = () => {}): StoredCollection<SitedAsset> {
  const { fields, indexes, unique, counted, ...rest } = assets as unknown as StoredCollection<SitedAsset>;
  return defineCollection<SitedAsset>({
    ...rest,
    fields: { ...fields, site: { type: "text" }, tag: { type: "text" } },
    indexes: [...indexes.slice(1), { where: ["site"] }],
    unique: { ...unique, tag: ["tag"] },
    counted: [...counted, "site"],
    shapeVersion: 2,
    upcasts: {
      1: (stored) => {
        const asset = stored as unknown as StoredAsset;
        seen(asset.id);
        return { ...asset, site: siteOf(asset), tag: tagOf(asset) };
      },
    },
    addedFields: ["site", "tag"],
  });
}

/** The same one release later, when code of the present release is gone. */
export function settledAssets(): StoredCollection<SitedAsset> {
  return defineCollection<SitedAsset>({ ...sitedAssets(), addedFields: [] } as StoredCollection<SitedAsset>);
}
