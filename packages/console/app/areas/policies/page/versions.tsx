import { client } from "../../../api/client.js";
import { t } from "../../../texts/index.js";
import { VersionsOf } from "../../../ui/versions/versions.js";
import type { Policy } from "../terms.js";

/** The versions of a policy, and the difference of two of them. */
export function PolicyVersions({ policy: { id } }: { readonly policy: Policy }) {
  return (
    <VersionsOf
      type="ai_policy"
      id={id}
      list={(query, signal) =>
        client.GET("/api/v1/ai-governance/policies/{id}/versions", { params: { path: { id }, query }, signal })
      }
      read={(versionId, signal) => {
        const params = { path: { id, versionId } };
        return client.GET("/api/v1/ai-governance/policies/{id}/versions/{versionId}", { params, signal });
      }}
      fields={t.policies.fields}
      optionOf={({ revision }, at) => t.policies.versionOf(revision, at)}
      lead={{ head: t.policies.revision, cell: ({ revision }) => t.number(revision) }}
    />
  );
}
