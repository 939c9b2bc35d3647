import { t } from "../../../texts/index.js";
import { atId, because, endOf, matter, momentIn } from "./matter.js";

const { says } = t.opening;

/** Decisions about access to connected systems. */
export const ACCESS_MATTERS = {
  access_request: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-requests/{id}", atId(review))).data,
    says: ({ items, isPermanent, expiresAt, duration }) => [
      says.access(items.map(({ profileName, resourceName }) => `${profileName} (${resourceName})`).join(", ")),
      ...(isPermanent ? [says.accessForever] : []),
      ...(expiresAt ? [says.accessUntil(momentIn(expiresAt))] : duration ? [says.accessFor(duration)] : []),
    ],
    mentions: ({ identityId }) => [["identity", identityId]],
    seen: ({ scopeHash }) => scopeHash,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/access-requests/{id}/approve", {
            ...{ ...atId(review), body: { expectedScopeHash: subject.scopeHash, ...because(said) } },
          }),
      },
      less: {
        needs: ["until"],
        takes: ["reason"],
        act: ({ client, review, subject, until, ...said }) =>
          client.POST("/api/v1/access-requests/{id}/approve", {
            ...atId(review),
            body: { expectedScopeHash: subject.scopeHash, expiresAt: endOf(until) as string, ...because(said) },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/access-requests/{id}/reject", {
            ...{ ...atId(review), body: { expectedScopeHash: subject.scopeHash, ...because(said) } },
          }),
      },
      ask: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/access-requests/{id}/approve", {
            ...atId(review),
            body: { expectedScopeHash: subject.scopeHash, decision: "request_info", ...because(said) },
          }),
      },
    },
  }),
  certification: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-certifications/{id}", atId(review))).data,
    says: ({ report }) => (report ? [says.certification(report.items)] : []),
    seen: () => undefined,
    // It is decided line by line, on its own page.
    ways: {},
  }),
  certification_confirmation: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-certifications/{id}", atId(review))).data,
    says: ({ confirmation }) => (confirmation ? [says.confirmation(confirmation.revokes, confirmation.silent)] : []),
    seen: () => undefined,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/access-certifications/{id}/confirm", {
            ...{ ...atId(review), body: { revokes: "all", ...because(said) } },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/access-certifications/{id}/confirm", {
            ...{ ...atId(review), body: { revokes: "none", ...because(said) } },
          }),
      },
    },
  }),
  access_drift: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-drift/{id}", atId(review))).data,
    says: ({ principal, resource, advice }) => [
      says.drift(principal.displayName ?? principal.externalId, resource.externalId),
      advice,
    ],
    seen: () => undefined,
    ways: {
      approve: {
        needs: ["until", "reason"],
        act: ({ client, review, until, ...said }) =>
          client.POST("/api/v1/access-drift/{id}/accept", {
            ...{ ...atId(review), body: { until: endOf(until) as string, ...because(said) } },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/access-drift/{id}/repair", { ...atId(review), body: because(said) }),
      },
    },
  }),
};
