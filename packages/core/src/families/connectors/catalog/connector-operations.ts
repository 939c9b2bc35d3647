import { invalidProperty } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { draftTest, recordDraft, testDraft } from "../definitions/draft-operations.js";
import { listConnectorCategories, listConnectors } from "../definitions/operations.js";
import { GivenSecrets } from "../instances/fields.js";
import { replacedBy } from "./rules.js";

const tag = "Legacy Catalog";
const reading = { permission: "connector:read", capability: "connectors" } as const;

export const listCatalog = defineOperation({
  ...listConnectors,
  id: "catalog.list",
  path: "/api/v1/catalog",
  tag,
  access: reading,
  summary: "List the connectors that the service has (older path)",
  ...replacedBy("/api/v1/connectors"),
});

export const listCatalogCategories = defineOperation({
  ...listConnectorCategories,
  id: "catalog.listCategories",
  path: "/api/v1/catalog/categories",
  tag,
  access: reading,
  summary: "List the kinds of systems that there are connectors for (older path)",
  ...replacedBy("/api/v1/connectors/categories"),
});

const CatalogTestRequest = openBody({
  id: "CatalogTestRequest",
  fields: z.object({
    providerKey: z.string().max(50).meta({ description: "The key of the connector." }),
    secrets: GivenSecrets,
  }),
  own: "The settings to test, as the connector's `configurationSchema` says.",
  example: {
    providerKey: "openai-compatible",
    configuration: { baseUrl: "https://models.example.com/v1" },
    secrets: { apiKey: "the key of the endpoint" },
  },
});

/** The connector that a body names at its top level. 400 when there is none of this key. */
function providerKeyOf({ env }: ReadContext, body: GenericBody): string {
  const { providerKey } = body as { readonly providerKey?: unknown };
  if (typeof providerKey !== "string") throw invalidProperty("/providerKey", "It is required.");
  if (!env.connectors.has(providerKey)) throw invalidProperty("/providerKey", "There is no such connector.");
  return providerKey;
}

export const testCatalogDraft = defineOperation({
  ...draftTest,
  id: "catalog.testDraft",
  path: "/api/v1/catalog/instances/test",
  tag,
  summary: "Test settings of a connection before it is set up (older path)",
  body: CatalogTestRequest,
  errors: ["connector_error", "overloaded", "read_only_property"],
  ...replacedBy("/api/v1/connectors"),
  prepare: (ctx, { body }) => testDraft(ctx, providerKeyOf(ctx, body), body),
  handler: (ctx, { body }, tested) => recordDraft(ctx, providerKeyOf(ctx, body), tested),
});
