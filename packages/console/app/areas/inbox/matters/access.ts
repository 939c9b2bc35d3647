import { atId, because, endOf, matter } from "./matter.js";

/** Decisions about access to connected systems. */
export const ACCESS_MATTERS = {
  access_request: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-requests/{id}", atId(review))).data,
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
    seen: () => undefined,
    // It is decided line by line, on its own page.
    ways: {},
  }),
  certification_confirmation: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-certifications/{id}", atId(review))).data,
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
