import { defineResource } from "#families/resource.js";
import { testConnectorDraft } from "./draft-operations.js";
import {
  listConnectorCategories,
  listConnectorStatuses,
  listConnectors,
  listEnabledConnectors,
  readConnector,
  readConnectorManifest,
} from "./operations.js";

/** The kinds of connectors that this control plane has. */
export const definitionsResource = defineResource({
  operations: [
    listConnectors,
    readConnector,
    readConnectorManifest,
    testConnectorDraft,
    listConnectorCategories,
    listEnabledConnectors,
    listConnectorStatuses,
  ],
});
