import { notFound } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { publicationOf } from "./compute-set.js";
import { PUBLISHED_CLIENTS, type PublishedClient } from "./fields.js";
import { agentOf, Bundle, publishSet, signSet } from "./publish-set.js";

const tag = "AI Enforcement";
const access = { permission: "publication:publish", capability: "ai_governance" } as const;

const OfAgent = z.object({ assetId: z.string().max(200).meta({ description: "The asset of the agent." }) });
const client = z.enum(PUBLISHED_CLIENTS).meta({ description: "The client that reads the files." });
const reason = z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." });

/** The agent of an earlier publication. 404 where there is none of the number. */
async function agentWith(ctx: ReadContext, assetId: string, of: PublishedClient, number: number) {
  const agent = await agentOf(ctx, assetId);
  if (await publicationOf(ctx, agent.id, of, number)) return agent;
  throw notFound();
}

export const restorePublication = defineOperation({
  id: "publications.restore",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/publication/restore",
  tag,
  summary: "Put an earlier set in force again, and hold to it",
  description:
    "Refused unless every entry of it is still approved. It has the next number. Until it is released, later sets hold at most its entries, and lose what may not be used any more.",
  extension: true,
  access,
  params: OfAgent,
  body: z
    .strictObject({
      client,
      number: z.int().min(1).meta({ description: "Number of the earlier publication." }),
      reason,
    })
    .meta({ id: "PublicationRestoration", example: { client: "claude-code", number: 1 } }),
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification", "not_found", "transition_guard_failed"],
  prepare: async (ctx, { params, body: { client: of, number, reason: why } }) =>
    signSet(ctx, await agentWith(ctx, params.assetId, of, number), of, { heldTo: number, reason: why }),
  handler: async (ctx, { params, body: { client: of, number, reason: why } }, signed) =>
    publishSet(ctx, await agentWith(ctx, params.assetId, of, number), of, signed, { heldTo: number, reason: why }),
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
  params: OfAgent,
  body: z.strictObject({ client, reason }).meta({ id: "PublicationRelease", example: { client: "codex" } }),
  success: { status: 200, schema: Bundle },
  errors: ["concurrent_modification"],
  prepare: async (ctx, { params, body: { client: of, reason: why } }) =>
    signSet(ctx, await agentOf(ctx, params.assetId), of, { heldTo: null, reason: why }),
  handler: async (ctx, { params, body: { client: of, reason: why } }, signed) =>
    publishSet(ctx, await agentOf(ctx, params.assetId), of, signed, { heldTo: null, reason: why }),
});
