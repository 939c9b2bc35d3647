import { defineOperation } from "#kernel/operation/operation.js";
import { requirePermission } from "#kernel/operation/permission.js";
import { z } from "#schema/z.js";
import { HOOK_CLIENTS } from "../hooks/fields.js";
import { agentOf } from "../publications/publish-set.js";
import { CATEGORIES, ClientPack, LinkedTool } from "./fields.js";
import { linkPack } from "./link-tools.js";
import { PACKS } from "./tools/index.js";

const tag = "AI Enforcement";
const capability = "ai_governance";

export const listClientPacks = defineOperation({
  id: "clientPacks.list",
  method: "GET",
  path: "/api/v1/ai/client-packs",
  tag,
  summary: "List the tools that clients have of their own, with what they do",
  description: "One version of each client. Tools that another version has can be registered like any tool.",
  extension: true,
  access: { permission: "ai-tool:read", capability },
  success: {
    status: 200,
    schema: z
      .object({ packs: z.array(ClientPack).meta({ description: "One pack of each client whose hooks are known." }) })
      .meta({ id: "ClientPacks" }),
  },
  handler: async () => ({ packs: Object.values(PACKS) }),
});

export const linkClientPack = defineOperation({
  id: "clientPacks.link",
  method: "POST",
  path: "/api/v1/ai-assets/{assetId}/client-pack",
  tag,
  summary: "Have an agent use tools that its client has of its own",
  description:
    "Those that are not registered yet are registered, once for the tenant. An approved agent that comes to use another tool goes back to review. It takes the permission to change agents too.",
  extension: true,
  access: { permission: "ai-tool:write", capability },
  params: z.object({ assetId: z.string().max(200).meta({ description: "The asset of the agent." }) }),
  body: z
    .strictObject({
      client: z.enum(HOOK_CLIENTS).meta({ description: "The client whose tools they are." }),
      categories: z
        .array(z.enum(CATEGORIES))
        .min(1)
        .max(CATEGORIES.length)
        .optional()
        .meta({ description: "Only tools that do this; all when absent." }),
    })
    .meta({ id: "ClientPackRequest", example: { client: "codex", categories: ["shell", "edit"] } }),
  success: {
    status: 200,
    schema: z
      .object({
        client: z.enum(HOOK_CLIENTS).meta({ description: "The client whose tools they are." }),
        version: z.string().meta({ description: "The version that they were taken from." }),
        tools: z.array(LinkedTool).meta({ description: "The tools that the agent uses now." }),
      })
      .meta({ id: "LinkedClientPack" }),
  },
  errors: ["already_exists"],
  async handler(ctx, { params, body: { client, categories } }) {
    requirePermission(ctx.env, ctx.principal, "ai-agent:write");
    const agent = await agentOf(ctx, params.assetId);
    return { client, version: PACKS[client].version, tools: await linkPack(ctx, agent.id, PACKS[client], categories) };
  },
});
