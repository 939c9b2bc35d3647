import type { Context } from "#kernel/operation/context.js";
import type { Closing } from "../../saml-apps/change/closing.js";
import { samlAssignments } from "../schema.js";

const PAGE = 200;

/** Removes the assignments of an application that is removed. */
export async function dropAssignments(ctx: Context, appId: string, closing: Closing): Promise<void> {
  if (closing !== "application_removed") return;
  for (;;) {
    const { rows } = await ctx.db.find(samlAssignments, { where: { appId }, size: PAGE });
    for (const { value } of rows) await ctx.remove(samlAssignments, value);
    if (rows.length < PAGE) return;
  }
}
