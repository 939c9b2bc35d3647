import { ById } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { PUBLISHED_CLIENTS } from "./fields.js";
import { agentOf, Bundle, publishSet, signSet } from "./publish-set.js";
import { publications } from "./schema.js";

const tag = "AI Enforcement";
const access = { permission: "publication:publish", capability: "ai_governance" } as const;

async function earlier(ctx: ReadContext, id: string) {
  const { agentId, client, number } = await ctx.getOrThrow(publications, id);
  return { agent: await agentOf(ctx, agentId), client, number };
}

export const restorePublication = defineOperation({
  id: "publications.restore",
  method: "POST",
  path: "/api/v1/ai/publications/{id}/restore",
  tag,
  summary: "Put an earlier set in force again, and hold to it",
  description:
    "Refused unless every entry of it is still approved. It has the next number. Until it is released, later sets hold at most its entries, and lose what may not be used any more.",
  extension: true,
  access,
  params: ById,
  body: actionBody({ id: "PublicationRestoration", example: { reason: "The new server answers wrongly." } }).optional(),
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification", "transition_guard_failed"],
  async prepare(ctx, { params, body }) {
    const { agent, client, number } = await earlier(ctx, params.id);
    return signSet(ctx, agent, client, { heldTo: number, reason: body?.reason });
  },
  async handler(ctx, { params, body }, signed) {
    const { agent, client, number } = await earlier(ctx, params.id);
    return publishSet(ctx, agent, client, signed, { heldTo: number, reason: body?.reason });
  },
});

export const releasePublication = defineOperation({
  id: "publications.release",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/publication/release",
  tag,
  summary: "Release the sets of an agent from an earlier one, and publish what is approved now",
  description: "The set that was held to stays listed. What is published again was approved by two people before.",
  extension: true,
  access,
  params: z.object({ assetId: z.string().max(200).meta({ description: "The asset of the agent." }) }),
  body: z
    .strictObject({
      client: z.enum(PUBLISHED_CLIENTS).meta({ description: "The client that reads the files." }),
      reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
    })
    .meta({ id: "PublicationRelease", example: { client: "codex" } }),
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification"],
  prepare: async (ctx, { params, body: { client, reason } }) =>
    signSet(ctx, await agentOf(ctx, params.assetId), client, { heldTo: null, reason }),
  handler: async (ctx, { params, body: { client, reason } }, signed) =>
    publishSet(ctx, await agentOf(ctx, params.assetId), client, signed, { heldTo: null, reason }),
});
