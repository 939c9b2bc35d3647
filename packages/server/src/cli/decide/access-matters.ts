import { Failure } from "../../failure.js";
import { atId, because, matter } from "./matter.js";

const EACH_LINE = "a certification is decided line by line; see reeve call accessCertificationItems.list";

/** Decisions about access to connected systems. */
export const ACCESS_MATTERS = {
  access_request: matter({
    read: async (client, review) => (await client.GET("/api/v1/access-requests/{id}", atId(review))).data,
    seen: ({ scopeHash }) => scopeHash,
    approve: ({ client, review, subject, ...given }) =>
      client.POST("/api/v1/access-requests/{id}/approve", {
        ...{ ...atId(review), body: { expectedScopeHash: subject.scopeHash, ...because(given) } },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.POST("/api/v1/access-requests/{id}/reject", {
        ...{ ...atId(review), body: { expectedScopeHash: subject.scopeHash, ...because(given) } },
      }),
  }),
  certification: matter({
    read: async () => undefined,
    seen: () => undefined,
    approve: EACH_LINE,
    reject: EACH_LINE,
  }),
  certification_confirmation: matter({
    read: async () => undefined,
    seen: () => undefined,
    approve: ({ client, review, ...given }) =>
      client.POST("/api/v1/access-certifications/{id}/confirm", {
        ...{ ...atId(review), body: { revokes: "all", ...because(given) } },
      }),
    reject: ({ client, review, ...given }) =>
      client.POST("/api/v1/access-certifications/{id}/confirm", {
        ...{ ...atId(review), body: { revokes: "none", ...because(given) } },
      }),
  }),
  access_drift: matter({
    read: async () => undefined,
    seen: () => undefined,
    approve({ client, review, until, ...given }) {
      if (until === undefined || Number.isNaN(Date.parse(until)))
        throw new Failure("--until is missing: the time until which the difference is accepted, as 2026-03-01");
      return client.POST("/api/v1/access-drift/{id}/accept", {
        ...{ ...atId(review), body: { until: new Date(until).toISOString(), ...because(given) } },
      });
    },
    reject: ({ client, review, ...given }) =>
      client.POST("/api/v1/access-drift/{id}/repair", { ...atId(review), body: because(given) }),
  }),
};
