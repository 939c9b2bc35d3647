import { client } from "../../../api/client.js";
import type { At } from "../../../work/work.js";
import type { BackTest } from "../terms.js";

/** The policy, what it says, and how far back one looks. */
export interface BackTestOf {
  readonly policyId: string;
  readonly name: string;
  readonly digest: string;
  readonly days: number;
}

export type BackTested = BackTest | null;

export async function step({ input: { policyId, days }, signal }: At<BackTestOf, BackTested>) {
  const asked = { params: { path: { id: policyId } }, body: { days }, signal };
  const { data } = await client.POST("/api/v1/ai-governance/policies/{id}/back-test", asked);
  return { state: data, isOver: true };
}
