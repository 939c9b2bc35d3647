import { defineResource } from "#families/resource.js";
import { listIntegrationActivity, readIntegrationEvent, summarizeIntegrationActivity } from "./activity-operations.js";
import {
  readIntegrationConfiguration,
  replaceIntegrationConfiguration,
  validateIntegrationConfiguration,
} from "./configuration-operations.js";
import { deleteIntegration, listIntegrations, patchIntegration } from "./operations.js";

/** Connected systems as integrations: activity and configuration. */
export const integrationsResource = defineResource({
  operations: [
    listIntegrations,
    patchIntegration,
    deleteIntegration,
    listIntegrationActivity,
    readIntegrationEvent,
    summarizeIntegrationActivity,
    readIntegrationConfiguration,
    replaceIntegrationConfiguration,
    validateIntegrationConfiguration,
  ],
});
