import { type User, users } from "#families/identity/index.js";
import { defineFollower } from "#kernel/operation/area.js";
import { everyRow } from "#kernel/operation/every-page.js";
import { delegationStatus } from "./machine.js";
import { delegations } from "./schema.js";

/** Nobody stands in who has left, and for nobody who has. */
export const followLeavers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (before?.status !== "active" || after?.status === "active") return;
  for (const { value } of await everyRow(ctx.db, delegations, { where: { parties: before.id } }))
    if (value.status === "active")
      await ctx.transition(delegations, delegationStatus, value, { event: "end" }, { triggeredBy: "system" });
});
