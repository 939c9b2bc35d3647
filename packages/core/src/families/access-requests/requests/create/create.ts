import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { RequestFields } from "../fields.js";
import { accessRequestStatus } from "../machine.js";
import { requestScopeHash } from "../rules.js";
import { type AccessRequest, accessRequests, isOver, openGrants, type RequestItem } from "../schema.js";
import { draftOf } from "./draft.js";

/** Requests of one machine in an hour. People who approve would tire of more. */
const MOST_OF_MACHINE = 20;
const EMERGENCY_REASON = 20;

/** What the body of a request says. */
export interface Asked {
  readonly fields: Partial<RequestFields>;
  readonly reason: string | undefined;
  readonly free: Partial<Pick<AccessRequest, "name" | "metadata" | "attributes">>;
}

/** Stores a request, and looks at what it takes. Someone's open request for the same access is named in a 409. */
export async function createRequest(
  ctx: Context,
  assetId: string,
  { fields, reason, free }: Asked,
): Promise<AccessRequest> {
  await refuseFlood(ctx);
  const { scope, items, terms, bounds, emergency, connectorInstanceId, needsReason } = await draftOf(
    ctx,
    assetId,
    fields,
  );
  const given = needsReason ? requireReason(reason) : (reason ?? "");
  if (emergency && given.trim().length < EMERGENCY_REASON)
    throw invalidProperty("/reason", `In an emergency at least ${EMERGENCY_REASON} characters.`, "missing_reason");
  const superseded = await supersede(ctx, scope.assetId, fields.supersedesRequestId);
  await refuseDuplicate(ctx, items);
  const [first, ...more] = items as [RequestItem, ...RequestItem[]];
  const shown = `${first.profileName} on ${first.resourceName}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  const request = await ctx.insert(accessRequests, {
    name: free.name ?? nameOf(shown),
    status: "submitted",
    metadata: free.metadata ?? {},
    ...{ ...scope, connectorInstanceId, emergency, items, reason: given, ...terms },
    ...{ ticketRef: fields.ticketRef ?? null, attachments: fields.attachments ?? [], granted: null },
    ...{ requestedBy: ctx.principal.userId, requestedKind: ctx.principal.kind },
    scopeHash: requestScopeHash({ ...scope, emergency, items, ...terms }),
    ...{ policies: [], editors: [], autoAllowedBy: null, approvalValidFor: "PT72H", evaluation: null, stages: [] },
    ...{ votes: superseded?.votes ?? [], exemptions: [], awaitingInfo: false, approvalEndsAt: null, lookAgainAt: null },
    pendingExpiresAt: timestamp(ctx.request.nowMs + millisecondsOf(bounds.pendingFor)),
    ...{ resolution: null, supersedesRequestId: superseded?.id ?? null, attributes: free.attributes ?? {} },
  });
  return fields.autoEvaluate === false ? request : evaluate(ctx, request);
}

/** 429 for a machine that asks too often. */
async function refuseFlood(ctx: Context): Promise<void> {
  const { kind, userId: requestedBy } = ctx.principal;
  if (kind !== "client") return;
  const from = timestamp(ctx.request.nowMs - hoursMs(1));
  const query = { where: { requestedBy }, range: { from }, size: MOST_OF_MACHINE };
  const { rows } = await ctx.db.find(accessRequests, query);
  if (rows.length < MOST_OF_MACHINE) return;
  const headers = { "retry-after": String(hoursMs(1) / 1_000) };
  throw new ReeveError("rate_limited", `A machine asks ${MOST_OF_MACHINE} times an hour at most.`, { headers });
}

/** The caller's own request that waits, and that the new one takes the place of. */
async function supersede(ctx: Context, assetId: string, id: string | undefined): Promise<AccessRequest | undefined> {
  if (id === undefined) return undefined;
  const row = await ctx.db.get(accessRequests, id);
  const old = row && (await ctx.current(accessRequests, row));
  const isOwn = old?.requestedBy === ctx.principal.userId && old.assetId === assetId;
  if (!old || !isOwn) throw invalidProperty("/supersedesRequestId", "Name a request of your own.", "invalid_reference");
  const resolution = { by: ctx.principal.userId, at: ctx.now, code: "superseded", reason: null } as const;
  const options = {
    triggeredBy: "policy",
    reason: "Another request takes its place.",
    patch: { resolution, lookAgainAt: null },
  } as const;
  const gone = await ctx.transition(accessRequests, accessRequestStatus, old, { event: "withdraw" }, options);
  return { ...gone, votes: old.votes.map((vote) => ({ ...vote, stale: true })) };
}

/** 409 with the open request that asks for some of it already. */
export async function refuseDuplicate(ctx: ReadContext, items: readonly RequestItem[]): Promise<void> {
  const keys = items.map(({ grantKey }) => ({ grantKey }));
  for (const row of await ctx.db.lookupMany(openGrants, "grant", keys)) {
    if (!row) continue;
    const other = await ctx.getOrThrow(accessRequests, row.value.requestId);
    if (isOver(other)) continue;
    throw new ReeveError("duplicate_request", `The request ${other.id} asks for it already.`, {
      members: { accessRequestId: other.id },
    });
  }
}
