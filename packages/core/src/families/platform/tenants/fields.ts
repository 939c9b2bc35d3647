import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { SETTINGS } from "../settings/fields.js";

/** The tenant for data of the platform itself: signing keys, kill switches, settings, the registry of tenants. */
export const PLATFORM_TENANT = "platform";

/** Subdomain of the provider's own tenant. Nobody can register it. */
export const PROVIDER_SUBDOMAIN = "provider";

/** The greatest age of a cached state that another process has changed, in milliseconds. */
export const STATE_LIFETIME = 5_000;

/** The settings that a tenant can change, each with its meaning. */
export const TenantSettingFields = z.object({
  strictBodies: z.boolean().meta({
    description:
      "Whether bodies with unknown properties are refused, as is the default; otherwise they are kept under `attributes`.",
  }),
  relatedParty: z.enum(["flag", "refuse"]).meta({
    description: "Whether a decision by somebody whose account comes from who asked is flagged or refused.",
  }),
  slaDays: SETTINGS["findings.slaDays"].schema.meta({
    id: "SlaDays",
    description: "Days to resolve a finding in, by severity; `null` for no due date. At most the provider's.",
  }),
  loggedFields: SETTINGS["decisions.loggedFields"].schema.meta({
    description: "Paths of values of a request that the event of its decision and its approvers see.",
  }),
  decisionDefault: SETTINGS["decisions.default"].schema.meta({
    description: "The decision where no rule speaks; `allow` only where the provider's is.",
  }),
  approvalMinutes: SETTINGS["decisions.approvalMinutes"].schema.meta({
    description: "Minutes that a request for approval waits. At most the provider's.",
  }),
  evaluationDays: SETTINGS["compliance.evaluationDays"].schema.meta({
    description: "Days for which an evaluation is evidence for controls. At most the provider's.",
  }),
  secondFactor: SETTINGS["signIn.secondFactor"].schema.meta({
    description: "Whether all people need a second factor to sign in; always where the provider demands it.",
  }),
  stepUpMinutes: SETTINGS["signIn.stepUpMinutes"].schema.meta({
    description:
      "Minutes within which whoever takes a decision for four eyes must have proven a second factor; `null` for none. At most the provider's.",
  }),
  reReviewDays: z.int().min(0).max(90).meta({
    description: "Days for which an approval stands while a material change is reviewed; with 0 it ends at once.",
  }),
  disabledConnectors: z.array(z.string().max(50)).max(100).meta({
    description: "Keys of connectors that are not used for new connections.",
  }),
  undeclaredTools: z.enum(["deny", "warn"]).meta({
    description: "What a decision does when an agent does not say that it uses the tool.",
  }),
  unusedAccess: z
    .strictObject({
      days: z.int().min(14).max(365).meta({ description: "Days without use." }),
      from: Time.meta({ description: "What was unused already at this moment is left alone." }),
    })
    .nullable()
    .meta({ description: "Which access is given notice because it is not used; `null` for none." }),
  escalationHours: z.int().min(1).max(2_160).nullable().meta({
    description: "Hours after which others are told of what still waits for a decision; `null` for never.",
  }),
});
export type TenantSettingValues = z.output<typeof TenantSettingFields>;

/** The settings that have a setting of the provider as their default and bound. */
export const BOUNDED = {
  slaDays: "findings.slaDays",
  loggedFields: "decisions.loggedFields",
  decisionDefault: "decisions.default",
  approvalMinutes: "decisions.approvalMinutes",
  evaluationDays: "compliance.evaluationDays",
  secondFactor: "signIn.secondFactor",
  stepUpMinutes: "signIn.stepUpMinutes",
} as const;
export type Bounded = keyof typeof BOUNDED;

/** The settings of a tenant that has set none, where the provider has no say. */
export const TENANT_SETTING_DEFAULTS: Omit<TenantSettingValues, Bounded> = {
  strictBodies: true,
  relatedParty: "flag",
  reReviewDays: 0,
  disabledConnectors: [],
  undeclaredTools: "deny",
  unusedAccess: null,
  escalationHours: null,
};
