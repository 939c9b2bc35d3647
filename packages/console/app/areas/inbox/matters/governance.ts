import { t } from "../../../texts/index.js";
import { atId, because, matter, versionOf } from "./matter.js";

const { says } = t.opening;
const fieldOf = (field: string) => t.policies.fields[field] ?? field;

/** Approvals of actions, assessments, attestations, changes of policies and erasures. */
export const GOVERNANCE_MATTERS = {
  action_approval: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/approvals/{id}", atId(review))).data,
    says: ({ action, resource }) => [says.action(action.name, `${resource.type} ${resource.id}`)],
    mentions: ({ subject }) => [["subject", subject.id]],
    hides: ({ hidden }) => hidden ?? [],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/approvals/{id}/approve", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/approvals/{id}/reject", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
    },
  }),
  assessment: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/assessments/{id}", atId(review))).data,
    says: ({ questionnaire, residualRisk }) => [says.assessment(questionnaire, residualRisk ?? says.unknown)],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/assessments/{id}/approve", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/assessments/{id}/return", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
    },
  }),
  attestation: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/compliance/{id}", atId(review))).data,
    says: ({ controlId, framework, evidence }) => [
      says.attestation(controlId, framework, evidence.filter(({ retiredAt }) => retiredAt === null).length),
    ],
    mentions: ({ assetId }) => [["asset", assetId]],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PUT("/api/v1/ai/compliance/{id}", {
            ...{ ...atId(review), ifMatch: subject },
            body: { status: "compliant", workflow: "done", ...because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PUT("/api/v1/ai/compliance/{id}", {
            ...{ ...atId(review), ifMatch: subject },
            body: { workflow: "in_progress", ...because(said) },
          }),
      },
    },
  }),
  policy_change: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/policies/{id}", atId(review))).data,
    says: ({ pending }) => [
      ...(pending?.change ? [says.policyChange(Object.keys(pending.change).map(fieldOf).join(", "))] : []),
      ...(pending?.status ? [says.policyStatus(t.policies.statuses[pending.status])] : []),
    ],
    bound: ({ pending, ...policy }) => ({ pending, policy }),
    seen: ({ pending }) => pending?.digest,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/ai-governance/policies/{id}/pending", {
            ...atId(review),
            body: { decision: "confirm", digest: subject.pending?.digest ?? "", ...because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/ai-governance/policies/{id}/pending", {
            ...atId(review),
            body: { decision: "decline", digest: subject.pending?.digest ?? "", ...because(said) },
          }),
      },
    },
  }),
  erasure: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/audit/erasures/{id}", atId(review))).data,
    says: ({ eventIds }) => (eventIds ? [says.erasureOf(eventIds.length)] : []),
    mentions: ({ subjectId }) => [["events", subjectId]],
    seen: () => undefined,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/ai-governance/audit/erasures/{id}/decision", {
            ...{ ...atId(review), body: { decision: "approve", ...because(said) } },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/ai-governance/audit/erasures/{id}/decision", {
            ...{ ...atId(review), body: { decision: "decline", ...because(said) } },
          }),
      },
    },
  }),
};
