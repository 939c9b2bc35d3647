import { t } from "../../../texts/index.js";
import { atId, because, matter, momentIn, versionOf } from "./matter.js";

const { says } = t.opening;

/** Second opinions about findings, and exemptions from them. */
export const FINDING_MATTERS = {
  finding_dismissal: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/findings/{id}", atId(review))).data,
    says: ({ message, effectiveSeverity, dismissalRequest }) => [
      says.finding(message),
      ...(dismissalRequest
        ? [says.dismissal(effectiveSeverity, dismissalRequest.reasonCode.replaceAll("_", " "))]
        : []),
    ],
    mentions: ({ policyId }) => [["policy", policyId]],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: async ({ client, review, subject, reason }) => {
          const { dismissalRequest: asked } = subject;
          if (!asked) return undefined;
          return client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
            ...{ ...atId(review), ifMatch: subject },
            body: { action: "dismiss", reasonCode: asked.reasonCode, reason: reason || asked.reason },
          });
        },
      },
    },
  }),
  finding_severity: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/findings/{id}", atId(review))).data,
    says: ({ message, effectiveSeverity, severityRequest }) => [
      says.finding(message),
      ...(severityRequest ? [says.severity(effectiveSeverity, severityRequest.value)] : []),
    ],
    mentions: ({ policyId }) => [["policy", policyId]],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: async ({ client, review, subject, reason }) => {
          const { severityRequest: asked } = subject;
          if (!asked) return undefined;
          return client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
            ...{ ...atId(review), ifMatch: subject },
            body: { action: "override_severity", severity: asked.value, reason: reason || asked.reason },
          });
        },
      },
    },
  }),
  exemption: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/exemptions/{id}", atId(review))).data,
    says: ({ category, matchedFindings, expiresAt }) => [
      says.exemption(category.replaceAll("_", " "), matchedFindings, momentIn(expiresAt)),
    ],
    mentions: ({ policyId }) => [["policy", policyId]],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/exemptions/{id}/approve", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-governance/exemptions/{id}/reject", {
            ...{ ...atId(review), ifMatch: subject, body: because(said) },
          }),
      },
    },
  }),
};
