import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Asset } from "./schema.js";

/** What a version shows: what people say of the asset. What Reeve observes and counts makes no version. */
export const SHOWN = [
  "name",
  "description",
  "assetType",
  "provider",
  "environment",
  "owner",
  "sponsor",
  "team",
  "riskTier",
  "dataClassification",
  "purpose",
  "autonomy",
  "externalRef",
  "labels",
  "relations",
  "reviewDueAt",
  "configuration",
  "metadata",
  "attributes",
] as const;

const Content = Asset.pick(
  Object.fromEntries(SHOWN.map((field) => [field, true])) as Record<(typeof SHOWN)[number], true>,
);

/** A version as lists name it. */
export const AssetVersion = z
  .object({
    id: z.string().meta({ description: "Id of the event that made it." }),
    at: Time.meta({ description: "When it was made." }),
    by: z.string().meta({ description: "Id of who made it." }),
    status: Asset.shape.status.meta({ description: "Its lifecycle state then." }),
    governanceState: Asset.shape.governanceState.meta({ description: "Its governance state then." }),
    changed: z.array(z.string()).nullable().meta({
      description: "Fields that differ from the version before; `null` of the first version of all.",
    }),
  })
  .meta({ id: "AiAssetVersion" });
export type AssetVersion = z.output<typeof AssetVersion>;

/** A version with what was said of the asset in it. */
export const AssetVersionContent = AssetVersion.extend(Content.shape).meta({ id: "AiAssetVersionContent" });

/** What an asset says of itself, as a version shows it. */
export function contentOf(asset: Asset): z.output<typeof Content> {
  return Object.fromEntries(SHOWN.map((field) => [field, asset[field]])) as z.output<typeof Content>;
}
