import { OfTarget, reading, tag } from "#families/access/index.js";
import { instances } from "#families/connectors/index.js";
import { readEstateBody, refuseUnknown } from "#families/estate/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { acceptScan, beginScan } from "./begin-scan.js";
import { AccessDriftScan, accessDriftScans, SCAN_READ_ONLY } from "./schema.js";

const TARGET = "/api/v1/access-targets/{connectorInstanceId}";
const Fields = z.object({
  acceptAnomalyRunId: z
    .string()
    .max(100)
    .meta({ description: "A scan that the circuit breaker stopped, to go on as it is." }),
});

const ScanRequest = openBody({ id: "AccessDriftScanRequest", fields: Fields, closed: true, example: {} });

export const scanForDrift = defineOperation({
  tag,
  id: "accessTargets.scanForDrift",
  method: "POST",
  path: `${TARGET}/drift-scan`,
  summary: "Compare a target with what was granted",
  description:
    "One at a time: while one is under way it is returned. It changes nothing in the target. When more is missing than is plausible, that is not taken for drift until somebody accepts exactly that scan.",
  access: { permission: "access-drift:scan", capability: "access_governance" },
  params: OfTarget,
  body: ScanRequest.optional(),
  success: { status: 200, schema: AccessDriftScan },
  errors: ["invalid_transition", "invalid_reference", "plan_changed", "missing_reason", "read_only_property"],
  killSwitches: ["connectors.outbound"],
  async handler(ctx, { params: { connectorInstanceId }, body = {} }) {
    const { fields, free, reason } = readEstateBody(body, Fields.partial(), SCAN_READ_ONLY);
    refuseUnknown(free.configuration, "Scans", Object.keys(Fields.shape));
    await ctx.getOrThrow(instances, connectorInstanceId);
    if (fields.acceptAnomalyRunId) return acceptScan(ctx, connectorInstanceId, fields.acceptAnomalyRunId, reason);
    return beginScan(ctx, connectorInstanceId, free);
  },
});

export const listScans = defineOperation({
  tag,
  ...reading,
  id: "accessTargets.listDriftScans",
  path: `${TARGET}/drift-scans`,
  summary: "List the scans of a target for drift, newest first",
  extension: true,
  params: OfTarget,
  query: listQuery(accessDriftScans),
  success: { status: 200, schema: pageOf(AccessDriftScan) },
  async handler(ctx, { params, query }) {
    const { id } = await ctx.getOrThrow(instances, params.connectorInstanceId);
    return ctx.page(accessDriftScans, query, { where: { connectorInstanceId: id } });
  },
});

const OfScan = OfTarget.extend({
  scanId: z.string().meta({ description: "Id of the scan.", example: "dsc_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

export const readScan = defineOperation({
  tag,
  ...reading,
  id: "accessTargets.readDriftScan",
  path: `${TARGET}/drift-scans/{scanId}`,
  summary: "Read a scan for drift and how far it is",
  extension: true,
  params: OfScan,
  success: { status: 200, schema: AccessDriftScan },
  async handler(ctx, { params }) {
    const row = await ctx.db.get(accessDriftScans, params.scanId);
    if (row?.value.connectorInstanceId !== params.connectorInstanceId) throw new ReeveError("not_found");
    return ctx.getStored(accessDriftScans, params.scanId);
  },
});
