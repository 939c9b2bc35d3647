import { z } from "#schema/z.js";

export const tag = "AI Access Governance";

/** What operations that read access have in common. */
export const reading = {
  method: "GET",
  access: { permission: "access:read", capability: "access_governance" },
} as const;

/** The path parameter of a target. */
export const OfTarget = z.object({
  connectorInstanceId: z.string().meta({
    description: "The target: id of the connection.",
    example: "ci_01JD3Z6T5W8Y9X7V4R2Q1P0N6M",
  }),
});

/** The path parameter of an asset. */
export const OfAsset = z.object({
  assetId: z.string().meta({ description: "Id of the asset.", example: "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});
