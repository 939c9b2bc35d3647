import { assets } from "#families/estate/index.js";
import { invalidProperty, ReeveError } from "#kernel/http/errors.js";
import { type Context, requireReason } from "#kernel/operation/context.js";
import { nameOf } from "#kernel/records/cut-text.js";
import { millisecondsOf } from "#kernel/records/duration.js";
import { timestamp } from "#ports/clock.js";
import { hoursMs } from "#ports/durations.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { RequestFields, Wanted } from "../fields.js";
import { accessRequestStatus } from "../machine.js";
import { requestScopeHash } from "../rules.js";
import { type AccessRequest, accessRequests, isOver, openGrants, type RequestItem } from "../schema.js";
import { changeOf } from "./change.js";
import { itemsFor } from "./items.js";
import { requireIdentity, requireTarget } from "./target.js";
import { boundsOf, termsOf } from "./terms.js";

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
  const asset = await ctx.getOrThrow(assets, assetId);
  const { type = "grant", emergency = false } = fields;
  await refuseFlood(ctx);
  const change = await changeOf(ctx, asset.id, fields);
  const connectorInstanceId = change?.connectorInstanceId ?? fields.connectorInstanceId;
  if (connectorInstanceId === undefined) throw invalidProperty("/connectorInstanceId", "Name the target.");
  await requireTarget(ctx, asset.id, connectorInstanceId);
  const identity = await requireIdentity(ctx, asset.id, connectorInstanceId, change?.identityId ?? fields.identityId);
  const itemized = await itemsFor(ctx, identity, wantedOf(fields, change?.item));
  const bounds = await boundsOf(ctx, asset, itemized, emergency);
  const terms = termsOf(ctx, fields, itemized, bounds);
  const needsReason = emergency || itemized.profiles.some(({ requireReason: needed }) => needed);
  const given = needsReason ? requireReason(reason) : (reason ?? "");
  if (emergency && given.trim().length < EMERGENCY_REASON)
    throw invalidProperty("/reason", `In an emergency at least ${EMERGENCY_REASON} characters.`, "missing_reason");
  const superseded = await supersede(ctx, asset.id, fields.supersedesRequestId);
  await refuseDuplicate(ctx, itemized.items);
  const changed = { assignmentId: change?.assignmentId ?? null, assignmentHash: change?.assignmentHash ?? null };
  const scope = { type, assetId: asset.id, identityId: identity.id, ...changed };
  const [first, ...more] = itemized.items as [RequestItem, ...RequestItem[]];
  const shown = `${first.profileName} on ${first.resourceName}${more.length > 0 ? ` and ${more.length} more` : ""}`;
  const request = await ctx.insert(accessRequests, {
    name: free.name ?? nameOf(shown),
    status: "submitted",
    metadata: free.metadata ?? {},
    ...{ ...scope, connectorInstanceId, emergency, items: itemized.items, reason: given, ...terms },
    ...{ ticketRef: fields.ticketRef ?? null, attachments: fields.attachments ?? [], granted: null },
    ...{ requestedBy: ctx.principal.userId, requestedKind: ctx.principal.kind },
    scopeHash: requestScopeHash({ ...scope, emergency, items: itemized.items, ...terms }),
    ...{ policies: [], editors: [], autoAllowedBy: null, approvalValidFor: "PT72H", evaluation: null, stages: [] },
    ...{ votes: superseded?.votes ?? [], exemptions: [], awaitingInfo: false, approvalEndsAt: null, lookAgainAt: null },
    pendingExpiresAt: timestamp(ctx.request.nowMs + millisecondsOf(bounds.pendingFor)),
    ...{ resolution: null, supersedesRequestId: superseded?.id ?? null, attributes: free.attributes ?? {} },
  });
  return fields.autoEvaluate === false ? request : evaluate(ctx, request);
}

function wantedOf({ items }: Partial<RequestFields>, changed: Wanted | undefined): readonly Wanted[] {
  if (changed) {
    const [one, ...more] = items ?? [changed];
    if (more.length > 0) throw invalidProperty("/items", "One assignment is changed at a time.");
    const wanted = { ...changed, ...(one as Wanted) };
    if (wanted.resourceId !== changed.resourceId)
      throw invalidProperty("/items/0/resourceId", "The assignment is to another resource.");
    return [wanted];
  }
  if (!items) throw invalidProperty("/items", "Say what is asked for.");
  return items;
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

async function refuseDuplicate(ctx: Context, items: readonly RequestItem[]): Promise<void> {
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
