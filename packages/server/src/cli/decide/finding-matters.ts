import { Failure } from "../../failure.js";
import { atId, because, matter, versionOf } from "./matter.js";

/** Second opinions about findings, and exemptions from them. */
export const FINDING_MATTERS = {
  finding_dismissal: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/findings/{id}", atId(review))).data,
    seen: versionOf,
    approve({ client, review, subject, reason }) {
      const { dismissalRequest: asked } = subject;
      if (!asked) throw new Failure("the dismissal is asked for no more");
      return client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
        ...{ ...atId(review), ifMatch: subject },
        body: { action: "dismiss", reasonCode: asked.reasonCode, reason: reason ?? asked.reason },
      });
    },
    reject: "the finding stays open while nobody confirms the dismissal; work on it by aiFindings.review",
  }),
  finding_severity: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/findings/{id}", atId(review))).data,
    seen: versionOf,
    approve({ client, review, subject, reason }) {
      const { severityRequest: asked } = subject;
      if (!asked) throw new Failure("another severity is asked for no more");
      return client.POST("/api/v1/ai-governance/findings/{id}/review-actions", {
        ...{ ...atId(review), ifMatch: subject },
        body: { action: "override_severity", severity: asked.value, reason: reason ?? asked.reason },
      });
    },
    reject: "the severity stays as it is while nobody confirms another one",
  }),
  exemption: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-governance/exemptions/{id}", atId(review))).data,
    seen: versionOf,
    approve: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/exemptions/{id}/approve", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-governance/exemptions/{id}/reject", {
        ...{ ...atId(review), ifMatch: subject, body: because(given) },
      }),
  }),
};
