import { ASSET_TYPES, readEstateBody, refuseUnknown } from "#families/estate/index.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { openBody } from "#kernel/records/open-body.js";
import { z } from "#schema/z.js";
import { IMPORT_READ_ONLY } from "./schema.js";

const ImportFields = z.object({
  assetTypes: z
    .array(z.enum(ASSET_TYPES))
    .max(ASSET_TYPES.length)
    .meta({ description: "Only these types; all when empty." }),
});
const Given = ImportFields.partial();

export const ImportBegin = openBody({
  id: "ConnectorImportRequest",
  fields: ImportFields,
  closed: true,
  example: { assetTypes: ["mcp_server", "model"] },
});

/** Reads a generic body as a new import. */
export function readImportBody(body: GenericBody) {
  const { fields, free } = readEstateBody(body, Given, IMPORT_READ_ONLY);
  refuseUnknown(free.configuration, "Imports", Object.keys(Given.shape));
  return {
    assetTypes: fields.assetTypes ?? [],
    name: free.name,
    metadata: free.metadata ?? {},
    attributes: free.attributes ?? {},
  };
}
