import type { Context } from "#kernel/operation/context.js";
import { type SamlApp, samlApps, samlAppUsage } from "../schema.js";
import { closeApp } from "./closing.js";

/** Removes an application with its assignments, and ends its sessions. */
export async function removeApp(ctx: Context, app: SamlApp): Promise<void> {
  await closeApp(ctx, app.id, "application_removed");
  const usage = await ctx.db.get(samlAppUsage, app.id);
  if (usage) await ctx.remove(samlAppUsage, usage.value);
  await ctx.remove(samlApps, app);
}
