import { OfTarget, reading, tag } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { listQuery, severalOf } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { actionBody, openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { acceptAnomaly, beginSync } from "./begin-sync.js";
import { accessSyncStatus } from "./machine.js";
import { AccessSync, accessSyncRuns, accessSyncs, SYNC_READ_ONLY } from "./schema.js";

const PATH = "/api/v1/access-targets/{connectorInstanceId}/resources/sync";
const SYNCS = "/api/v1/access-targets/{connectorInstanceId}/syncs";
const shared = { tag } as const;
const Fields = z.object({
  acceptAnomalyRunId: z
    .string()
    .max(100)
    .meta({ description: "A sync that the circuit breaker stopped, to go on as it is." }),
});

const SyncRequest = openBody({ id: "AccessSyncRequest", fields: Fields, closed: true, example: {} });

export const syncResources = defineOperation({
  ...shared,
  id: "accessTargets.sync",
  method: "POST",
  path: PATH,
  summary: "Read what a target offers access to",
  description:
    "One at a time: while one is under way it is returned. When more is missing than is plausible, nothing counts as missing until somebody accepts exactly that sync.",
  access: { permission: "access-target:sync", capability: "access_governance" },
  params: OfTarget,
  query: z.strictObject({
    resourceType: severalOf(z.string().max(200)).meta({ description: "Only these types; all when absent." }),
  }),
  body: SyncRequest.optional(),
  success: { status: 200, schema: AccessSync },
  errors: [
    "invalid_transition",
    "capability_missing",
    "invalid_reference",
    "plan_changed",
    "missing_reason",
    "read_only_property",
  ],
  killSwitches: ["connectors.outbound"],
  async handler(ctx, { params: { connectorInstanceId }, query, body = {} }) {
    const { fields, free, reason } = readEstateBody(body, Fields.partial(), SYNC_READ_ONLY);
    refuseUnknown(free.configuration, "Syncs", Object.keys(Fields.shape));
    await ctx.getOrThrow(instances, connectorInstanceId);
    if (fields.acceptAnomalyRunId) return acceptAnomaly(ctx, connectorInstanceId, fields.acceptAnomalyRunId, reason);
    return beginSync(ctx, connectorInstanceId, query.resourceType, free);
  },
});

export const listSyncs = defineOperation({
  ...shared,
  ...reading,
  id: "accessTargets.listSyncs",
  path: SYNCS,
  summary: "List the syncs of a target, newest first",
  extension: true,
  params: OfTarget,
  query: listQuery(accessSyncs),
  success: { status: 200, schema: pageOf(AccessSync) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return ctx.page(accessSyncs, query, { where: { connectorInstanceId: id } });
  },
});

const OfSync = OfTarget.extend({
  syncId: z.string().meta({ description: "Id of the sync.", example: "asy_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

export const readSync = defineOperation({
  ...shared,
  ...reading,
  id: "accessTargets.readSync",
  path: `${SYNCS}/{syncId}`,
  summary: "Read a sync and how far it is",
  extension: true,
  params: OfSync,
  success: { status: 200, schema: AccessSync },
  async handler(ctx, { params }) {
    const row = await ctx.db.get(accessSyncs, params.syncId);
    if (row?.value.connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    return ctx.getStored(accessSyncs, params.syncId);
  },
});

export const cancelSync = defineOperation({
  ...shared,
  id: "accessTargets.cancelSync",
  stops: true,
  method: "POST",
  path: `${SYNCS}/{syncId}/cancel`,
  summary: "Stop a sync; what it has read is kept",
  access: { permission: "access-target:sync", capability: "access_governance" },
  extension: true,
  params: OfSync,
  body: actionBody({ id: "AccessSyncCancellation", example: { reason: "The wrong account was connected." } }),
  success: { status: 200, schema: AccessSync },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const sync = await ctx.getForUpdate(accessSyncs, params.syncId);
    if (sync.connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    const patch = { endedAt: ctx.now };
    const run = await ctx.db.lookup(accessSyncRuns, "sync", { syncId: sync.id });
    if (run) await ctx.update(accessSyncRuns, run.value, { dueAt: null });
    return ctx.transition(accessSyncs, accessSyncStatus, sync, { to: "cancelled" }, { reason, patch });
  },
});
