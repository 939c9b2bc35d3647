import { defineResource } from "#families/resource.js";
import { dueBy } from "#kernel/operation/dues.js";
import { dueByAge } from "#kernel/operation/retention.js";
import { dropImports } from "./drop-imports.js";
import { runImportJobs } from "./jobs.js";
import { importStatus } from "./machine.js";
import {
  cancelImport,
  confirm,
  importNew,
  listImportItems,
  listImports,
  previewImport,
  readImport,
} from "./operations.js";
import { connectorAssets, connectorImportItems, connectorImportRuns, connectorImports } from "./schema.js";

/** Imports of assets from connected systems: plan, confirmation and run. */
export const importsResource = defineResource({
  collections: [connectorImports, connectorImportItems, connectorImportRuns, connectorAssets],
  machines: [importStatus],
  operations: [importNew, previewImport, listImports, readImport, listImportItems, confirm, cancelImport],
  permissions: {
    "connector-import:write": {
      lets: "Read what connected systems have, and cancel imports",
      heldBy: ["governance_officer", "operator"],
    },
    "connector-import:confirm": {
      lets: "Confirm imports from connected systems, for which it takes the right to register assets too",
      heldBy: ["governance_officer", "operator"],
    },
  },
  dues: [dueBy(connectorImportRuns, "dueAt"), dueByAge("imports", connectorImports, "overSince")],
  tick: async (env, tenantId) => (await runImportJobs(env, tenantId)) + (await dropImports(env, tenantId)),
});
