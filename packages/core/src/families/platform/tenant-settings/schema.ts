import { recordFields } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { TenantSettingFields } from "../tenants/fields.js";

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

const OF_THE_PROVIDER = { description: "`null` for the provider's." };

export const TenantSettingsPatch = z
  .strictObject({
    strictBodies: TenantSettingFields.shape.strictBodies.nullable().optional().meta({
      description:
        "Whether bodies with unknown properties are refused; `null` for the default, which is to refuse them.",
    }),
    relatedParty: TenantSettingFields.shape.relatedParty
      .nullable()
      .optional()
      .meta({ description: "What becomes of decisions by related people; `null` for the default." }),
    slaDays: TenantSettingFields.shape.slaDays.nullable().optional().meta(OF_THE_PROVIDER),
    loggedFields: TenantSettingFields.shape.loggedFields.nullable().optional().meta(OF_THE_PROVIDER),
    decisionDefault: TenantSettingFields.shape.decisionDefault.nullable().optional().meta(OF_THE_PROVIDER),
    approvalMinutes: TenantSettingFields.shape.approvalMinutes.nullable().optional().meta(OF_THE_PROVIDER),
    evaluationDays: TenantSettingFields.shape.evaluationDays.nullable().optional().meta(OF_THE_PROVIDER),
    secondFactor: TenantSettingFields.shape.secondFactor.nullable().optional().meta(OF_THE_PROVIDER),
    stepUpMinutes: TenantSettingFields.shape.stepUpMinutes.nullable().optional().meta(OF_THE_PROVIDER),
    reReviewDays: TenantSettingFields.shape.reReviewDays
      .nullable()
      .optional()
      .meta({ description: "Days for which an approval stands while a material change is reviewed." }),
    disabledConnectors: TenantSettingFields.shape.disabledConnectors
      .nullable()
      .optional()
      .meta({ description: "Keys of connectors that are not used for new connections; `null` for none." }),
    undeclaredTools: TenantSettingFields.shape.undeclaredTools
      .nullable()
      .optional()
      .meta({ description: "What an undeclared use of a tool leads to; `null` for the default." }),
    unusedAccess: TenantSettingFields.shape.unusedAccess
      .optional()
      .meta({ description: "Which access is given notice because it is not used; `null` for none." }),
    escalationHours: TenantSettingFields.shape.escalationHours
      .optional()
      .meta({ description: "Hours after which others are told of what still waits; `null` for never." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({ id: "TenantSettingsPatch", example: { strictBodies: false } });
