import type { Environment } from "#kernel/config/environment.js";
import type { Context } from "#kernel/operation/context.js";
import { isQuiet } from "#kernel/operation/first-dues.js";
import { dropThrough } from "#kernel/operation/retention.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { type ConnectorImport, connectorImportItems, connectorImportRuns, connectorImports } from "./schema.js";

/** Items that one transaction deletes. */
const CHUNK = 500;

/** Deletes imports that are over for longer than they are kept, with their items, some at a time. Returns how many steps. */
export async function dropImports(env: Environment, tenantId: string): Promise<number> {
  const through = dropThrough(env, "imports");
  if (through === undefined || isQuiet(env, tenantId, connectorImports, { by: "overSince", through })) return 0;
  const oldest = { order: { by: "overSince", direction: "asc" }, range: { through }, size: 1 } as const;
  let steps = 0;
  for (;;) {
    const [row] = (await env.store.forTenant(tenantId).find(connectorImports, oldest)).rows;
    if (!row) return steps;
    await systemContext(env, tenantId, "tick").write((ctx) => dropSome(ctx, row.id));
    steps += 1;
    await yieldToEventLoop();
  }
}

async function dropSome(ctx: Context, id: string): Promise<void> {
  const held: ConnectorImport | undefined = (await ctx.db.get(connectorImports, id))?.value;
  if (!held) return;
  const { rows, next } = await ctx.db.find(connectorImportItems, { where: { importId: id }, size: CHUNK });
  for (const { value } of rows) await ctx.remove(connectorImportItems, value, { event: false });
  if (next) return;
  const run = (await ctx.db.lookup(connectorImportRuns, "import", { importId: id }))?.value;
  if (run) await ctx.remove(connectorImportRuns, run, { event: false });
  await ctx.remove(connectorImports, held, { event: false });
}
