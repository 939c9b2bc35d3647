import { client } from "../../api/client.js";
import { t } from "../../texts/index.js";
import { VersionsOf } from "../../ui/versions/versions.js";
import type { Asset } from "./terms.js";

/** The versions of an asset, and the difference of two of them. */
export function AssetVersions({ asset: { id } }: { readonly asset: Asset }) {
  return (
    <VersionsOf
      type="ai_asset"
      id={id}
      list={(query, signal) =>
        client.GET("/api/v1/ai-assets/{id}/versions", { params: { path: { id }, query }, signal })
      }
      read={(versionId, signal) =>
        client.GET("/api/v1/ai-assets/{id}/versions/{versionId}", { params: { path: { id, versionId } }, signal })
      }
      fields={t.estate.fields}
      optionOf={({ governanceState }, at) => t.estate.versionOf(t.estate.governance[governanceState], at)}
      lead={{
        head: t.estate.governanceThen,
        cell: ({ governanceState }) => t.estate.governance[governanceState],
      }}
    />
  );
}
