import { ReeveError } from "#kernel/http/errors.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { actionBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { requireHistory } from "../instances/remove-history.js";
import { instances } from "../instances/schema.js";
import { ImportBegin, readImportBody } from "./begin-body.js";
import { beginImport } from "./begin-import.js";
import { ImportConfirmation, readConfirmation } from "./confirm-body.js";
import { confirmImport } from "./confirm-import.js";
import { importStatus } from "./machine.js";
import {
  ConnectorImport,
  connectorImportItems,
  connectorImportRuns,
  connectorImports,
  ImportItemRecord,
} from "./schema.js";
import { requireSameSystem } from "./target-again.js";

const PATH = "/api/v1/integrations/{id}";
const shared = { tag: "Integrations Workspace" } as const;
const may = (permission: "connector:read" | "connector-import:write" | "connector-import:confirm") =>
  ({ permission, capability: "connectors" }) as const;

export const OfImport = ById.extend({
  importId: z.string().meta({ description: "Id of the import.", example: "imp_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});

/** 404 for an import of another instance. One of an instance that is gone stays readable. */
export async function checkedImport(ctx: ReadContext, { id, importId }: z.output<typeof OfImport>): Promise<void> {
  const row = await ctx.db.get(connectorImports, importId);
  if (row?.value.connectorInstanceId !== id) throw new ReeveError("not_found");
}

const begin = {
  ...shared,
  method: "POST",
  access: may("connector-import:write"),
  params: ById,
  body: ImportBegin.optional(),
  success: { status: 201, schema: ConnectorImport },
  errors: ["invalid_transition", "capability_missing", "read_only_property"],
  killSwitches: ["connectors.outbound"],
} as const;

export const previewImport = defineOperation({
  ...begin,
  id: "integrations.previewImport",
  path: `${PATH}/imports`,
  summary: "Plan an import from a connected system",
  description: "One at a time: while one is under way it is returned. Its plan waits a day for a confirmation.",
  handler: (ctx, { params, body = {} }) => beginImport(ctx, params.id, { ...readImportBody(body), mode: "preview" }),
});

export const importNew = defineOperation({
  ...begin,
  id: "integrations.import",
  path: `${PATH}/import`,
  access: may("connector-import:confirm"),
  summary: "Import everything that is new from a connected system",
  description: "Nothing that is registered already is changed. For a choice, plan an import and confirm it.",
  handler: (ctx, { params, body = {} }) => beginImport(ctx, params.id, { ...readImportBody(body), mode: "create" }),
});

export const readImport = defineOperation({
  ...shared,
  id: "integrations.readImport",
  method: "GET",
  path: `${PATH}/imports/{importId}`,
  summary: "Read an import and how far it is",
  access: may("connector:read"),
  params: OfImport,
  success: { status: 200, schema: ConnectorImport },
  async handler(ctx, { params }) {
    await checkedImport(ctx, params);
    return ctx.getStored(connectorImports, params.importId);
  },
});

export const listImports = defineOperation({
  ...shared,
  id: "integrations.listImports",
  method: "GET",
  path: `${PATH}/imports`,
  summary: "List the imports from a connected system, newest first",
  access: may("connector:read"),
  extension: true,
  params: ById,
  query: listQuery({ ...connectorImports, filters: { status: connectorImports.filters.status as object } }),
  success: { status: 200, schema: pageOf(ConnectorImport) },
  async handler(ctx, { params, query }) {
    await requireHistory(ctx, params.id, connectorImports);
    return ctx.page(connectorImports, query, { where: { connectorInstanceId: params.id } });
  },
});

export const listImportItems = defineOperation({
  ...shared,
  id: "integrations.listImportItems",
  method: "GET",
  path: `${PATH}/imports/{importId}/items`,
  summary: "List what an import plans, and what came of it",
  access: may("connector:read"),
  extension: true,
  params: OfImport,
  query: listQuery(connectorImportItems),
  success: { status: 200, schema: pageOf(ImportItemRecord) },
  async handler(ctx, { params, query }) {
    await checkedImport(ctx, params);
    return ctx.page(connectorImportItems, query, { where: { importId: params.importId } });
  },
});

export const confirm = defineOperation({
  ...shared,
  id: "integrations.confirmImport",
  method: "POST",
  path: `${PATH}/imports/{importId}/confirm`,
  summary: "Confirm exactly the plan that was seen",
  description:
    "Its items are carried out with your rights. The same confirmation again changes nothing. The system is asked again which one it is.",
  access: may("connector-import:confirm"),
  params: OfImport,
  body: ImportConfirmation,
  success: { status: 200, schema: ConnectorImport },
  errors: [
    ...(["invalid_transition", "plan_changed", "anomaly_pending", "read_only_property"] as const),
    ...(["target_identity_changed", "connection_test_failed", "kill_switch_active", "overloaded"] as const),
    ...(["secret_unavailable", "concurrent_modification"] as const),
  ],
  async prepare(ctx, { params }) {
    await ctx.getOrThrow(instances, params.id);
    await checkedImport(ctx, params);
    await requireSameSystem(ctx, params.importId);
  },
  async handler(ctx, { params, body }) {
    await ctx.getOrThrow(instances, params.id);
    await checkedImport(ctx, params);
    const job = await ctx.getForUpdate(connectorImports, params.importId);
    return confirmImport(ctx, job, readConfirmation(body, job));
  },
});

export const cancelImport = defineOperation({
  ...shared,
  id: "integrations.cancelImport",
  stops: true,
  method: "POST",
  path: `${PATH}/imports/{importId}/cancel`,
  summary: "Cancel an import that has changed nothing yet",
  access: may("connector-import:write"),
  extension: true,
  params: OfImport,
  body: actionBody({ id: "ConnectorImportCancellation", example: { reason: "The wrong account was connected." } }),
  success: { status: 200, schema: ConnectorImport },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    await ctx.getOrThrow(instances, params.id);
    await checkedImport(ctx, params);
    const job = await ctx.getForUpdate(connectorImports, params.importId);
    const patch = { endedAt: ctx.now };
    const cancelled = await ctx.transition(connectorImports, importStatus, job, { to: "cancelled" }, { reason, patch });
    const run = await ctx.db.lookup(connectorImportRuns, "import", { importId: job.id });
    if (run) await ctx.update(connectorImportRuns, run.value, { dueAt: null });
    return cancelled;
  },
});
