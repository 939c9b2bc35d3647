import { FrameworkControl, FrameworkFields, FrameworkKey } from "#frameworks/index.js";
import { defineCollection } from "#kernel/records/collection.js";
import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { AdoptionFields } from "../adoptions/schema.js";

/** An uploaded framework as it is stored. Its key is its id. */
export const OwnFramework = z
  .object({
    id: FrameworkKey,
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    createdBy: recordFields.createdBy,
    updatedAt: recordFields.updatedAt,
    updatedBy: recordFields.updatedBy,
    ...FrameworkFields.shape,
  })
  .meta({ id: "OwnComplianceFramework" });
export type OwnFramework = z.output<typeof OwnFramework>;

/** Frameworks that tenants have uploaded. */
export const ownFrameworks = defineCollection<OwnFramework>({
  name: "compliance_frameworks",
  prefix: null,
  schema: OwnFramework,
  resource: {
    type: "compliance_framework",
    event: "compliance_framework",
    path: "/api/v1/ai/compliance/frameworks",
  },
});

const { controls: _, ...described } = FrameworkFields.shape;

/** A framework in a list, without its controls. */
export const FrameworkSummary = z.object({
  key: FrameworkKey,
  version: z.int().min(1).meta({ description: "Counts up with its data." }),
  builtin: z.boolean().meta({ description: "Comes with this service and cannot be changed." }),
  ...described,
  controlCount: z.int().meta({ description: "How many controls it has." }),
  digest: z.string().meta({ description: "SHA-256 of its controls in canonical form." }),
});
export type FrameworkSummary = z.output<typeof FrameworkSummary>;

/** A framework in a list, with its adoption by the tenant. */
export const ListedFramework = z
  .object({
    ...FrameworkSummary.shape,
    adoption: z
      .object(AdoptionFields.shape)
      .nullable()
      .meta({ description: "The roles in which it is adopted; `null`: it is not." }),
  })
  .meta({ id: "ComplianceFrameworkSummary" });

export const Control = z.object(FrameworkControl.shape).meta({ id: "ComplianceControl" });

export const Framework = z
  .object({
    ...FrameworkSummary.shape,
    controls: z.array(Control).meta({ description: "The controls of the framework." }),
  })
  .meta({ id: "ComplianceFramework" });
export type Framework = z.output<typeof Framework>;
