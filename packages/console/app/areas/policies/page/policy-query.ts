import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { client } from "../../../api/client.js";
import { recordKey } from "../../../api/keys.js";

export const policyQuery = (id: string) =>
  queryOptions({
    queryKey: recordKey("ai_policy", id),
    queryFn: async ({ signal }) =>
      (await client.GET("/api/v1/ai-governance/policies/{id}", { params: { path: { id } }, signal })).data,
  });

/** Types of records that an act on a policy changes. */
export const STALE = ["ai_policy", "review", "me"] as const;

/** Has everything about policies read again, after an act on one. */
export function useReadAgain() {
  const cache = useQueryClient();
  return () => Promise.all(STALE.map((type) => cache.invalidateQueries({ queryKey: [type] })));
}
