import { t } from "../../../texts/index.js";
import { atId, because, endOf, matter, type Said, versionOf } from "./matter.js";

const { says } = t.opening;

const conditionsOf = ({ conditions = [], until }: Said) =>
  conditions.map((text, index) => ({
    key: `condition-${index + 1}`,
    text,
    ...(until ? { dueAt: endOf(until) as string } : {}),
  }));

/** Reviews of assets, tools, servers and stops. */
export const ESTATE_MATTERS = {
  asset_review: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai-assets/{id}", atId(review))).data,
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason", "until"],
        act: ({ client, review, subject, until, ...said }) =>
          client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
            ...{ ...atId(review), ifMatch: subject },
            body: {
              ...{ status: "approved" as const, ...because(said) },
              ...(until ? { configuration: { approvedUntil: endOf(until) as string } } : {}),
            },
          }),
      },
      less: {
        needs: ["conditions"],
        takes: ["reason", "until"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
            ...{ ...atId(review), ifMatch: subject },
            body: {
              ...{ status: "conditionally_approved" as const, ...because(said) },
              configuration: { conditions: conditionsOf(said) },
            },
          }),
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
            ...{ ...atId(review), ifMatch: subject },
            body: { status: "rejected", ...because(said) },
          }),
      },
    },
  }),
  condition: matter({
    read: async (client, review) => {
      const { data } = await client.GET("/api/v1/ai-assets/{id}", atId(review));
      return { key: review.key, asset: data };
    },
    says: ({ key, asset }) => {
      const found = asset.conditions?.find((one) => one.key === key);
      return found ? [says.condition(found.text)] : [];
    },
    bound: ({ key, asset }) => asset.conditions?.find((one) => one.key === key),
    seen: ({ asset }) => versionOf(asset),
    ways: {
      approve: {
        needs: ["evidence"],
        takes: ["reason"],
        act: ({ client, review, subject, evidence = "", ...said }) =>
          client.PATCH("/api/v1/ai-assets/{id}/conditions/{key}", {
            ...{ params: { path: { id: review.subject.id, key: review.key } }, ifMatch: subject.asset },
            body: { met: true, evidence: { ref: evidence }, ...because(said) },
          }),
      },
    },
  }),
  tool_review: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/tools/{id}", atId(review))).data,
    says: ({ origin, effects }) => [says.tool(origin, effects.join(", ") || says.unknown)],
    seen: versionOf,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) => {
          const { current } = subject.pin;
          return client.POST("/api/v1/ai/tools/{id}/review", {
            ...{ ...atId(review), ifMatch: subject },
            body: { status: "approved", ...(current === null ? {} : { digest: current }), ...because(said) },
          });
        },
      },
      refuse: {
        needs: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/ai/tools/{id}/review", {
            ...{ ...atId(review), ifMatch: subject },
            body: { status: "blocked", ...because(said) },
          }),
      },
    },
  }),
  mcp_manifest: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/mcp-servers/{id}/drift", atId(review))).data,
    says: ({ items, approvedDigest, severity }) => [
      approvedDigest === null
        ? says.firstManifest(items.length)
        : says.manifest(items.length, severity ?? says.unknown),
    ],
    seen: ({ manifestDigest }) => manifestDigest,
    ways: {
      approve: {
        takes: ["reason"],
        act: ({ client, review, subject, ...said }) =>
          client.POST("/api/v1/ai/mcp-servers/{id}/tools/approve", {
            ...atId(review),
            body: { manifestDigest: subject.manifestDigest ?? "", ...because(said) },
          }),
      },
    },
  }),
  halt_lift: matter({
    read: async (client, review) => (await client.GET("/api/v1/ai/halts/{id}", atId(review))).data,
    says: ({ scope, reason }) => [says.halt(says.haltScopes[scope]), ...(reason ? [says.haltReason(reason)] : [])],
    mentions: ({ scope, target }) => [["target", scope === "mcp_server" ? target : null]],
    seen: () => undefined,
    ways: {
      approve: {
        needs: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/ai/halts/{id}/lift", { ...atId(review), body: because(said) }),
      },
    },
  }),
  stop_reason: matter({
    read: async (_client, review) => review.subject,
    seen: () => undefined,
    ways: {
      approve: {
        needs: ["reason"],
        act: ({ client, review, ...said }) =>
          client.POST("/api/v1/reviews/{id}/reason", { params: { path: { id: review.id } }, body: because(said) }),
      },
    },
  }),
};
