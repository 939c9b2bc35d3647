import { z } from "zod";
import { recordFields } from "../../../kernel/records/record.js";
import { TenantSettingFields } from "./fields.js";

/** The settings of a tenant as the API serves them. The version is the tenant's. */
export const TenantSettings = z
  .object({
    id: z.string().meta({ description: "Id of the tenant." }),
    version: recordFields.version,
    createdAt: recordFields.createdAt,
    updatedAt: recordFields.updatedAt,
    ...TenantSettingFields.shape,
  })
  .meta({ id: "TenantSettings" });
export type TenantSettings = z.output<typeof TenantSettings>;

export const TenantSettingsPatch = z
  .strictObject({
    strictBodies: TenantSettingFields.shape.strictBodies
      .nullable()
      .optional()
      .meta({ description: "Whether bodies with unknown properties are refused; `null` for the default." }),
    relatedParty: TenantSettingFields.shape.relatedParty
      .nullable()
      .optional()
      .meta({ description: "What becomes of decisions by related people; `null` for the default." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "TenantSettingsPatch", example: { strictBodies: true } });
