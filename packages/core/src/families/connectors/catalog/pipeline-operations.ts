import { defineOperation } from "#kernel/operation/operation.js";
import { PageQuery, pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Page } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { connectorAssets, connectorImports } from "../imports/schema.js";
import { ConnectorInstance, instances } from "../instances/schema.js";
import { replacedBy } from "./rules.js";

const STAGES = ["draft", "tested", "discovered", "imported", "managed"] as const;

const { id, name, providerKey, status, health } = ConnectorInstance.shape;
const Staged = z
  .object({
    id,
    name,
    providerKey,
    status,
    health,
    stage: z.enum(STAGES).meta({ description: "How far its set-up is." }),
  })
  .meta({ id: "CatalogPipelineEntry" });

export const listCatalogPipeline = defineOperation({
  id: "catalog.pipeline",
  method: "GET",
  path: "/api/v1/catalog/instances/pipeline",
  tag: "Legacy Catalog",
  summary: "List how far the set-up of each connection is (older path)",
  access: { permission: "connector:read", capability: "connectors" },
  query: PageQuery,
  success: { status: 200, schema: pageOf(Staged) },
  ...replacedBy("/api/v1/integrations"),
  async handler(ctx, { query }) {
    const { items, page, size, total, nextCursor } = await ctx.page(instances, query);
    const staged = await stagesOf(ctx, JSON.parse(items) as ConnectorInstance[]);
    return new Page(JSON.stringify(staged), page, size, total, nextCursor);
  },
});

/** The stages of many connections, with two queries for all of them. */
async function stagesOf(ctx: ReadContext, list: readonly ConnectorInstance[]): Promise<z.output<typeof Staged>[]> {
  if (list.length === 0) return [];
  const asked = { field: "connectorInstanceId", values: list.map((one) => one.id), size: 1 };
  const imports = await ctx.db.findTopPerKey(connectorImports, asked);
  const brought = await ctx.db.findTopPerKey(connectorAssets, asked);
  return list.map((one) => {
    const has = (found: ReadonlyMap<string, readonly unknown[]>) => (found.get(one.id)?.length ?? 0) > 0;
    const stage = stageOf(one, has(imports), has(brought));
    return { id: one.id, name: one.name, providerKey: one.providerKey, status: one.status, health: one.health, stage };
  });
}

function stageOf({ lastTest, governanceMode }: ConnectorInstance, discovered: boolean, imported: boolean) {
  if (imported) return governanceMode === "managed" ? "managed" : "imported";
  if (discovered) return "discovered";
  return lastTest === null ? "draft" : "tested";
}
