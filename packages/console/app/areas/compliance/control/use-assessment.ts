import { useQuery } from "@tanstack/react-query";
import { client, type components } from "../../../api/client.js";
import { listKey } from "../../../api/keys.js";

export type Assessment = components["schemas"]["ComplianceRecord"];

/** The assessment of a control for the whole organisation; `null` before there is one. */
export function useAssessment(framework: string, controlId: string) {
  const query = { framework: [framework], controlId: [controlId], assetId: ["tenant"], size: 1 };
  return useQuery({
    queryKey: listKey("compliance", query),
    queryFn: async ({ signal }): Promise<Assessment | null> =>
      (await client.GET("/api/v1/ai/compliance", { params: { query }, signal })).data.items[0] ?? null,
  });
}
