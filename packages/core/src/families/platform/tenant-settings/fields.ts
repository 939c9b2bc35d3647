import { z } from "zod";

/** The settings that a tenant can change, each with its meaning. */
export const TenantSettingFields = z.object({
  strictBodies: z.boolean().meta({
    description: "Whether bodies with unknown properties are refused; otherwise they are kept under `attributes`.",
  }),
  relatedParty: z.enum(["flag", "refuse"]).meta({
    description: "Whether a decision by somebody whose account comes from who asked is flagged or refused.",
  }),
});

/** The settings of a tenant that has set none. */
export const TENANT_SETTING_DEFAULTS: z.output<typeof TenantSettingFields> = {
  strictBodies: false,
  relatedParty: "flag",
};
