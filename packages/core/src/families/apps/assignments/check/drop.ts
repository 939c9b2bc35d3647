import type { Context } from "#kernel/operation/context.js";
import { samlAssignments } from "../schema.js";

const PAGE = 200;

/** Removes the assignments of an application. */
export async function dropAssignments(ctx: Context, appId: string): Promise<void> {
  for (;;) {
    const { rows } = await ctx.db.find(samlAssignments, { where: { appId }, size: PAGE });
    for (const { value } of rows) await ctx.remove(samlAssignments, value);
    if (rows.length < PAGE) return;
  }
}
