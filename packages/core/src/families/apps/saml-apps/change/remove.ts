import type { Context } from "#kernel/operation/context.js";
import { dropAssignments } from "../../assignments/check/drop.js";
import { endSessionsOfApp } from "../../sessions/end/end.js";
import { type SamlApp, samlApps, samlAppUsage } from "../schema.js";

/** Removes an application with its assignments, and ends its sessions. */
export async function removeApp(ctx: Context, app: SamlApp): Promise<void> {
  await endSessionsOfApp(ctx, app.id, "application_removed");
  await dropAssignments(ctx, app.id);
  const usage = await ctx.db.get(samlAppUsage, app.id);
  if (usage) await ctx.remove(samlAppUsage, usage.value);
  await ctx.remove(samlApps, app);
}
