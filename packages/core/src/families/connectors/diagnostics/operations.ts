import { notFound } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { annotatedActionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { requireHistory } from "../instances/remove-history.js";
import { instances } from "../instances/schema.js";
import { recordTest, testInstance } from "./run-diagnostics.js";
import { DiagnosticsRun, diagnosticsRuns } from "./schema.js";

const PATH = "/api/v1/integrations/{id}/diagnostics";
const reading = {
  method: "GET",
  tag: "Integrations Workspace",
  access: { permission: "connector:read", capability: "connectors" },
} as const;

const TestRequest = annotatedActionBody({
  id: "ConnectionTestRequest",
  example: { reason: "The key was replaced." },
});

export const runDiagnostics = defineOperation({
  id: "integrations.runDiagnostics",
  method: "POST",
  path: `${PATH}/run`,
  tag: "Integrations Workspace",
  summary: "Test a connection now, and keep what was found",
  description: "It changes nothing in the other system. Tests that are asked for at the same time are one.",
  access: { permission: "connector:write", capability: "connectors" },
  params: ById,
  body: TestRequest.optional(),
  expensive: true,
  success: { status: 201, schema: DiagnosticsRun },
  errors: ["kill_switch_active", "not_configured", "overloaded", "secret_unavailable", "concurrent_modification"],
  prepare: async (ctx, { params }) => testInstance(ctx, await ctx.getOrThrow(instances, params.id)),
  async handler(ctx, { params, body }, finished) {
    await ctx.getForUpdate(instances, params.id);
    return recordTest(ctx, finished, "manual", body);
  },
});

export const listDiagnostics = defineOperation({
  ...reading,
  id: "integrations.listDiagnostics",
  path: `${PATH}/history`,
  summary: "List tests of a connection, newest first",
  params: ById,
  query: listQuery(diagnosticsRuns),
  success: { status: 200, schema: pageOf(DiagnosticsRun) },
  async handler(ctx, { params, query }) {
    await requireHistory(ctx, params.id, diagnosticsRuns);
    return ctx.page(diagnosticsRuns, query, { where: { connectorInstanceId: params.id } });
  },
});

export const readLatestDiagnostics = defineOperation({
  ...reading,
  id: "integrations.latestDiagnostics",
  path: `${PATH}/latest`,
  summary: "Read the last test of a connection",
  params: ById,
  success: { status: 200, schema: DiagnosticsRun },
  async handler(ctx, { params }) {
    const { rows } = await ctx.db.find(diagnosticsRuns, { where: { connectorInstanceId: params.id }, size: 1 });
    if (!rows[0]) throw notFound();
    return rows[0].value;
  },
});

export const readDiagnostics = defineOperation({
  ...reading,
  id: "integrations.readDiagnostics",
  path: `${PATH}/runs/{runId}`,
  summary: "Read one test of a connection",
  params: ById.extend({
    runId: z.string().meta({ description: "Id of the test.", example: "diag_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
  }),
  success: { status: 200, schema: DiagnosticsRun },
  async handler(ctx, { params }) {
    const row = await ctx.db.get(diagnosticsRuns, params.runId);
    if (row?.value.connectorInstanceId !== params.id) throw notFound();
    return ctx.getStored(diagnosticsRuns, params.runId);
  },
});
