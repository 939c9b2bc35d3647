import { defineFollower } from "../../../../kernel/operation/area.js";
import type { Context } from "../../../../kernel/operation/context.js";
import type { Collection } from "../../../../kernel/records/collection.js";
import type { StoredRecord } from "../../../../store/collection.js";
import type { Filters } from "../../../../store/store.js";
import { assets } from "../../../estate/index.js";
import { type User, users } from "../../../identity/index.js";
import { accessRequestStatus } from "../machine.js";
import { accessRequests, askedApprovers, isUnstarted, openGrants } from "../schema.js";

const PAGE = 500;

/** Requests end with the asset that they are for. What was granted of them ends by itself. */
export const withdrawWithAsset = defineFollower(assets, async (ctx, { before, after }) => {
  const isOver = !after || (after.status === "retired" && before?.status !== "retired");
  if (!before || !isOver) return;
  const grants = await allOf(ctx, openGrants, { assetId: before.id });
  for (const id of new Set(grants.map(({ requestId }) => requestId))) {
    const request = await ctx.getOrThrow(accessRequests, id);
    if (!isUnstarted(request)) continue;
    const reason = "The asset is retired.";
    const resolution = { by: "system", at: ctx.now, code: "asset_retired", reason } as const;
    const options = { triggeredBy: "system", reason, patch: { resolution, lookAgainAt: null } } as const;
    await ctx.transition(accessRequests, accessRequestStatus, request, { event: "withdraw" }, options);
  }
});

/** Has requests look for other people at once when one whom they ask has left, or lost a role. */
export const followApprovers = defineFollower<User>(users, async (ctx, { before, after }) => {
  if (!before) return;
  const isSame = after && after.status === before.status && after.roles.join(" ") === before.roles.join(" ");
  if (!isSame) await lookAgain(ctx, before.id);
});

async function lookAgain(ctx: Context, userId: string): Promise<void> {
  for (const { requestId } of await allOf(ctx, askedApprovers, { userId })) {
    const row = await ctx.db.get(accessRequests, requestId);
    if (row?.value.status !== "pending_approval") continue;
    await ctx.update(accessRequests, row.value, { lookAgainAt: ctx.now }, { event: false, stamp: false });
  }
}

/** All records of a query, read before any of them is changed. */
async function allOf<R extends StoredRecord>(ctx: Context, collection: Collection<R>, where: Filters): Promise<R[]> {
  const all: R[] = [];
  let after: { readonly by: string | number | null; readonly id: string } | undefined;
  do {
    const found = await ctx.db.find(collection, { where, size: PAGE, ...(after ? { after } : {}) });
    for (const { value } of found.rows) all.push(value);
    after = found.next;
  } while (after);
  return all;
}
