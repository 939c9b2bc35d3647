import { visibilityOf } from "#families/platform/index.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { DEFAULT_SIZE, MAX_SIZE, pageQuery } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { countedSources } from "./attention/counted.js";
import { expiringSources } from "./attention/expiring.js";
import { AttentionItem, ranked } from "./attention/item.js";
import { leaversSource } from "./attention/leavers.js";
import { neglectedSources } from "./attention/neglected.js";
import { switchesSource } from "./attention/switches.js";
import { unseenSource } from "./attention/unseen.js";
import { type Block, blocks } from "./summary-blocks.js";

const sources = [
  switchesSource,
  ...countedSources,
  unseenSource,
  leaversSource,
  ...neglectedSources,
  ...expiringSources,
];

const Attention = z.object({
  items: z.array(AttentionItem).meta({ description: "The gravest first." }),
  page: z.int().min(0).meta({ description: "Zero-based page number." }),
  size: z.int().min(1).max(MAX_SIZE).meta({ description: "Items a page." }),
  totalItems: z.int().min(0).meta({ description: "Items of all pages." }),
  totalPages: z.int().min(0).meta({ description: "Pages there are." }),
});

const Overview = z
  .object({
    asOf: Time.meta({ description: "The moment it is about." }),
    assets: blocks.assets.schema.optional().meta({ description: "Numbers of assets." }),
    agents: blocks.agents.schema.optional().meta({ description: "Numbers of agents." }),
    tools: blocks.tools.schema.optional().meta({ description: "Numbers of tools." }),
    identities: blocks.identities.schema.optional().meta({ description: "Numbers of AI identities." }),
    models: blocks.models.schema.optional().meta({ description: "Numbers of models." }),
    mcpServers: blocks.mcpServers.schema.optional().meta({ description: "Numbers of MCP servers." }),
    sessions: blocks.sessions.schema.optional().meta({ description: "Numbers of sessions." }),
    findings: blocks.findings.schema.optional().meta({ description: "Numbers of findings." }),
    approvals: blocks.approvals.schema.optional().meta({ description: "Numbers of approvals." }),
    compliance: blocks.compliance.schema.optional().meta({ description: "Postures by framework." }),
    activity: blocks.activity.schema.optional().meta({ description: "What happened last." }),
    attention: Attention.meta({ description: "What somebody should look at, the gravest first." }),
  })
  .meta({ id: "AiOverview" });

const { page, size } = pageQuery;

export const readOverview = defineOperation({
  id: "aiOverview.read",
  method: "GET",
  path: "/api/v1/ai/overview",
  tag: "AI Overview",
  summary: "Show the estate at a glance: numbers, what happened last, and what needs attention",
  description:
    "Numbers come from counters and bounded lists. A block is left out where the caller lacks the permission or the tenant the capability that its own operations ask for. `page` and `size` are of `attention`.",
  access: { permission: "ai-overview:read", capability: "ai_registry" },
  query: z.strictObject({ page, size }),
  success: { status: 200, schema: Overview },
  async handler(ctx, { query }) {
    const maySee = visibilityOf(ctx);
    const seen = Object.entries<Block>(blocks).filter(([, { permission }]) => maySee(permission));
    // What is asked for at the same time costs a database server few round trips.
    const [shown, reported] = await Promise.all([
      Promise.all(seen.map(async ([name, block]) => [name, await block.read(ctx)] as const)),
      attention(ctx, maySee, query),
    ]);
    return { asOf: ctx.now, ...Object.fromEntries(shown), attention: reported };
  },
});

async function attention(
  ctx: ReadContext,
  maySee: (permission: string) => boolean,
  { page = 0, size: wanted = DEFAULT_SIZE }: { page?: number | undefined; size?: number | undefined },
): Promise<z.output<typeof Attention>> {
  const asked = sources.filter(({ permission }) => maySee(permission));
  const found = (await Promise.all(asked.map(({ find }) => find(ctx)))).flat();
  const size = Math.min(wanted, MAX_SIZE);
  const items = ranked(found).slice(page * size, (page + 1) * size);
  return { items, page, size, totalItems: found.length, totalPages: Math.ceil(found.length / size) };
}
