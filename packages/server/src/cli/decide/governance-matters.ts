import { Failure } from "../../failure.js";
import { atId, because, matter, versionOf } from "./matter.js";

/** Approvals of actions, assessments, changes of policies and erasures. */
export const GOVERNANCE_MATTERS = {
  action_approval: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/approvals/{id}", atId(review))).data,
    seen: versionOf,
    approve: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/approvals/{id}/approve", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/approvals/{id}/reject", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
  }),
  assessment: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/assessments/{id}", atId(review))).data,
    seen: versionOf,
    approve: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/assessments/{id}/approve", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/assessments/{id}/return", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
  }),
  attestation: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/compliance/{id}", atId(review))).data,
    seen: versionOf,
    approve: ({ client, review, subject, ...given }) =>
      client.PUT("/api/v1/ai/compliance/{id}", {
        ...{ ...atId(review), ifMatch: subject },
        body: { status: "compliant", workflow: "done", ...because(given) },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.PUT("/api/v1/ai/compliance/{id}", {
        ...{ ...atId(review), ifMatch: subject },
        body: { workflow: "in_progress", ...because(given) },
      }),
  }),
  policy_change: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/policies/{id}", atId(review))).data,
    seen: ({ pending }) => pending?.digest,
    approve: ({ client, review, subject, ...given }) =>
      client.POST("/api/v1/ai-governance/policies/{id}/pending", {
        ...{ ...atId(review), body: { decision: "confirm", digest: waiting(subject), ...because(given) } },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.POST("/api/v1/ai-governance/policies/{id}/pending", {
        ...{ ...atId(review), body: { decision: "decline", digest: waiting(subject), ...because(given) } },
      }),
  }),
  erasure: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/audit/erasures/{id}", atId(review))).data,
    seen: () => undefined,
    approve: ({ client, review, ...given }) =>
      client.POST("/api/v1/ai-governance/audit/erasures/{id}/decision", {
        ...{ ...atId(review), body: { decision: "approve", ...because(given) } },
      }),
    reject: ({ client, review, ...given }) =>
      client.POST("/api/v1/ai-governance/audit/erasures/{id}/decision", {
        ...{ ...atId(review), body: { decision: "decline", ...because(given) } },
      }),
  }),
};

function waiting({ pending }: { readonly pending: { readonly digest: string } | null }): string {
  if (pending) return pending.digest;
  throw new Failure("the change waits no more");
}
