import { defineResource } from "#families/resource.js";
import { listCatalog, listCatalogCategories, testCatalogDraft } from "./connector-operations.js";
import {
  createCatalogInstance,
  deleteCatalogInstance,
  listCatalogInstances,
  readCatalogInstance,
  replaceCatalogInstance,
} from "./operations.js";
import { listCatalogPipeline } from "./pipeline-operations.js";
import {
  discoverCatalogInstance,
  importCatalogInstance,
  listCatalogAssets,
  listCatalogAudit,
  listCatalogCapabilities,
  readCatalogHealth,
  testCatalogInstance,
} from "./work-operations.js";

/** The catalogue of connectors and their instances. */
export const catalogResource = defineResource({
  operations: [
    listCatalog,
    listCatalogCategories,
    testCatalogDraft,
    listCatalogInstances,
    createCatalogInstance,
    listCatalogPipeline,
    readCatalogInstance,
    replaceCatalogInstance,
    deleteCatalogInstance,
    listCatalogAssets,
    listCatalogAudit,
    listCatalogCapabilities,
    discoverCatalogInstance,
    readCatalogHealth,
    importCatalogInstance,
    testCatalogInstance,
  ],
});
