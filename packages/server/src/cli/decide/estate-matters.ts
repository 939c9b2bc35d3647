import { Failure } from "../../failure.js";
import { atId, because, matter, versionOf } from "./matter.js";

/** Reviews of assets, tools and servers. */
export const ESTATE_MATTERS = {
  asset_review: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-assets/{id}", atId(review))).data,
    seen: versionOf,
    approve: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
        ...{ ...atId(review), ifMatch: subject },
        body: { status: "approved", ...because(given) },
      }),
    reject: ({ client, review, subject, ...given }) =>
      client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
        ...{ ...atId(review), ifMatch: subject },
        body: { status: "rejected", ...because(given) },
      }),
  }),
  condition: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-assets/{id}", atId(review))).data,
    seen: versionOf,
    approve({ client, review, subject, evidence, ...given }) {
      if (evidence === undefined) throw new Failure("--evidence is missing: what shows that the condition is met");
      return client.PATCH("/api/v1/ai-assets/{id}/conditions/{key}", {
        ...{ params: { path: { id: review.subject.id, key: review.key } }, ifMatch: subject },
        body: { met: true, evidence: { ref: evidence }, ...because(given) },
      });
    },
    reject: "a condition that is not met stays open; nothing is to be done about it",
  }),
  tool_review: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/tools/{id}", atId(review))).data,
    seen: versionOf,
    approve({ client, review, subject, ...given }) {
      const { current } = subject.pin;
      return client.POST("/api/v1/ai/tools/{id}/review", {
        ...{ ...atId(review), ifMatch: subject },
        body: { status: "approved", ...(current === null ? {} : { digest: current }), ...because(given) },
      });
    },
    reject: ({ client, review, subject, ...given }) =>
      client.POST("/api/v1/ai/tools/{id}/review", {
        ...{ ...atId(review), ifMatch: subject },
        body: { status: "blocked", ...because(given) },
      }),
  }),
  mcp_manifest: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/mcp-servers/{id}/drift", atId(review))).data,
    seen: ({ manifestDigest }) => manifestDigest,
    approve({ client, review, subject, ...given }) {
      const { manifestDigest } = subject;
      if (manifestDigest === null) throw new Failure("the server was not seen to offer anything yet");
      const body = { manifestDigest, ...because(given) };
      return client.POST("/api/v1/ai/mcp-servers/{id}/tools/approve", { ...atId(review), body });
    },
    reject: "what a server offers stays unapproved, and its tools unused; reeve halt mcp-server stops the server",
  }),
  halt_lift: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/halts/{id}", atId(review))).data,
    seen: () => undefined,
    approve: ({ client, review, ...given }) =>
      client.POST("/api/v1/ai/halts/{id}/lift", { ...atId(review), body: because(given) }),
    reject: "the halt stays in force while it is not lifted; nothing is to be done about it",
  }),
  stop_reason: matter({
    read: async () => undefined,
    seen: () => undefined,
    approve: ({ client, review, ...given }) =>
      client.POST("/api/v1/reviews/{id}/reason", { params: { path: { id: review.id } }, body: because(given) }),
    reject: "it asks for your reason and decides nothing; give it by reeve approve --reason",
  }),
};
