import { agents, assets, registerAsset, useTools } from "#families/estate/index.js";
import { notFound } from "#kernel/http/errors.js";
import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import type { Category, ClientPack, LinkedTool, PackTool } from "./fields.js";
import { registeredTools } from "./schema.js";

/** What tools of a category claim of their effects. A reviewer says what they are. */
const CLAIMS: Readonly<Record<Category, object>> = {
  shell: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  edit: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  read: { readOnlyHint: true, openWorldHint: false },
  web: { readOnlyHint: true, openWorldHint: true },
  agent: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  plan: { readOnlyHint: true, openWorldHint: false },
  schedule: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
};

/**
 * Has an agent use tools of a client. Those that are missing are registered, once for the tenant. An approved agent that
 * comes to use another tool goes back to review.
 */
export async function linkPack(
  ctx: Context,
  agentAssetId: string,
  pack: ClientPack,
  categories: readonly Category[] | undefined,
): Promise<LinkedTool[]> {
  const agent = (await ctx.db.lookup(agents, "asset", { assetId: agentAssetId }))?.value;
  if (!agent) throw notFound();
  const wanted = pack.tools.filter(({ category }) => categories?.includes(category) ?? true);
  const keys = wanted.map(({ toolName }) => ({ client: pack.client, toolName }));
  const known = await ctx.db.lookupMany(registeredTools, "tool", keys);
  const linked: LinkedTool[] = [];
  for (const [index, tool] of wanted.entries()) {
    const { toolName, category } = tool;
    const assetId = known[index]?.value.assetId ?? (await register(ctx, pack, tool));
    const isLinked = !agent.toolIds.includes(assetId);
    linked.push({ toolName, category, assetId, isNew: !known[index], isLinked });
  }
  await useTools(
    ctx,
    agent,
    linked.map(({ assetId }) => assetId),
  );
  return linked;
}

async function register(ctx: Context, { client, title }: ClientPack, tool: PackTool): Promise<string> {
  const { toolName, category, arguments: names } = tool;
  const inputSchema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, {}])) };
  const content = { toolName, inputSchema, annotations: CLAIMS[category] };
  const { asset } = await registerAsset(
    ctx,
    {
      fields: { assetType: "tool", purpose: `A tool of ${title} itself (${category}).` },
      free: { name: `${toolName} of ${title}` },
      status: undefined,
      reason: undefined,
    },
    { fields: { origin: "builtin", ...content }, free: {} },
  );
  const row = { id: ctx.newId("cpt"), version: 1, createdAt: ctx.now, client, toolName, assetId: asset.id };
  await ctx.insert(registeredTools, row, { event: false });
  return asset.id;
}

/** A tool that was deleted is registered anew when it is asked for again. */
export const dropWithAsset = defineFollower(assets, async (ctx, { before, after }) => {
  if (!before || after || before.assetType !== "tool") return;
  const { rows } = await ctx.db.find(registeredTools, { where: { assetId: before.id }, size: 10 });
  for (const { value } of rows) await ctx.remove(registeredTools, value, { event: false });
});
