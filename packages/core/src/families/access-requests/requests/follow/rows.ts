import { defineFollower } from "#kernel/operation/area.js";
import type { Context } from "#kernel/operation/context.js";
import { type AccessRequest, accessRequests, activeStage, askedApprovers, isOver, openGrants } from "../schema.js";

const MOST = 200;

/** Ids of whom a request waits for: those asked who have not approved it yet. */
function waitingFor(request: AccessRequest | undefined): string[] {
  const stage = request && activeStage(request);
  if (!stage) return [];
  const at = request.stages.indexOf(stage);
  const voted = new Set(
    request.votes.flatMap((vote) => (vote.stage === at && vote.decision === "approve" && !vote.stale ? [vote.by] : [])),
  );
  return stage.candidates.map(({ userId }) => userId).filter((id) => !voted.has(id));
}

const grantsOf = (request: AccessRequest | undefined): AccessRequest["items"] =>
  request && !isOver(request) ? request.items : [];

/** Keeps the rows by which open requests are found, in the transaction of each change. */
export const keepRows = defineFollower(accessRequests, async (ctx, { before, after }) => {
  const request = after ?? before;
  if (!request) return;
  const [had, has] = [grantsOf(before), grantsOf(after)].map((items) =>
    items.map(({ grantKey }) => grantKey).join(" "),
  );
  if (had !== has) await keepGrants(ctx, request, grantsOf(after));
  const [asked, asks] = [waitingFor(before), waitingFor(after)];
  if (asked.join(" ") !== asks.join(" ")) await keepAsked(ctx, request, asks);
});

async function keepGrants(ctx: Context, request: AccessRequest, items: AccessRequest["items"]): Promise<void> {
  const { id: requestId, assetId, identityId, connectorInstanceId } = request;
  const { rows } = await ctx.db.find(openGrants, { where: { requestId }, size: MOST });
  const known = new Set(rows.map(({ value }) => value.grantKey));
  const wanted = new Set(items.map(({ grantKey }) => grantKey));
  for (const { value } of rows) if (!wanted.has(value.grantKey)) await ctx.remove(openGrants, value, { event: false });
  const missing = items.filter(({ grantKey }) => !known.has(grantKey));
  await ctx.insertMany(
    openGrants,
    missing.map(({ grantKey, resourceId, accessProfileId }) => ({
      ...{ requestId, grantKey, assetId, identityId, resourceId, accessProfileId, connectorInstanceId },
    })),
    { event: false },
  );
}

async function keepAsked(ctx: Context, request: AccessRequest, asks: readonly string[]): Promise<void> {
  const { id: requestId, assetId, connectorInstanceId } = request;
  const { rows } = await ctx.db.find(askedApprovers, { where: { requestId }, size: MOST });
  const known = new Set(rows.map(({ value }) => value.userId));
  for (const { value } of rows)
    if (!asks.includes(value.userId)) await ctx.remove(askedApprovers, value, { event: false });
  const missing = asks.filter((userId) => !known.has(userId));
  await ctx.insertMany(
    askedApprovers,
    missing.map((userId) => ({ requestId, userId, assetId, connectorInstanceId })),
    { event: false },
  );
}
