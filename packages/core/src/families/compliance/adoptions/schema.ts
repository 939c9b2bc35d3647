import { Text } from "#families/estate/index.js";
import { Roles } from "#frameworks/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** What a caller says of the adoption of a framework. */
export const AdoptionFields = z.strictObject({
  roles: Roles.default([]).meta({ description: "What the organisation does with AI; empty: all of it." }),
  scope: Text.default("").meta({ description: "What of the organisation it covers, and why these roles." }),
});

/** The adoption of a framework. Its key is the framework's. */
export const Adoption = z
  .object({
    id: recordFields.id.meta({ description: "Key of the framework." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    createdBy: recordFields.createdBy,
    updatedAt: recordFields.updatedAt,
    updatedBy: recordFields.updatedBy,
    ...AdoptionFields.shape,
  })
  .meta({ id: "ComplianceAdoption" });
export type Adoption = z.output<typeof Adoption>;

/** Frameworks that tenants hold themselves to, each with their profile. */
export const adoptions = defineCollection<Adoption>({
  name: "compliance_adoptions",
  prefix: null,
  schema: Adoption,
  resource: { type: "compliance_adoption", event: "compliance_adoption", path: "/api/v1/ai/compliance/frameworks" },
});
