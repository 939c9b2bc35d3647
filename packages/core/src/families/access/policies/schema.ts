import { defineCollection } from "#kernel/records/collection.js";
import { Name } from "#kernel/records/generic-body.js";
import { recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { PolicyTerms } from "./fields.js";

/** The most policies of a tenant. All of them are looked at for each request. */
export const MOST_POLICIES = 200;

/** The stream of what was done to policies, also to those that were removed. */
export const POLICY_CHANGES = "access_policies";

/** Who approves which access, as it is stored and served. */
export const AccessPolicy = z
  .object({
    ...recordFields,
    name: Name,
    ...PolicyTerms.shape,
    editedBy: z
      .array(
        z.object({
          by: z.string().meta({ description: "Id of who." }),
          at: Time.meta({ description: "The time when it happened." }),
        }),
      )
      .meta({ description: "Who has changed it within a day." }),
  })
  .meta({ id: "AccessPolicy" });
export type AccessPolicy = z.output<typeof AccessPolicy>;

/** Policies of access requests. */
export const accessPolicies = defineCollection<AccessPolicy>({
  name: "access_policies",
  prefix: "acp",
  // Records have every default of their terms, which callers may leave out.
  schema: AccessPolicy as unknown as z.ZodType<AccessPolicy>,
  resource: { type: "access_policy", event: "access.policy", path: "/api/v1/access-policies" },
  shownUnder: [POLICY_CHANGES],
  fields: {
    kind: { type: "text" },
    effect: { type: "text" },
    enabled: { type: "boolean" },
    name: { type: "text", compare: "caseless" },
    /** By which those that may be in force are found. */
    inForce: { type: "text", of: ({ enabled }) => (enabled ? "yes" : null) },
  },
  unique: { name: ["name"] },
  indexes: [{ where: ["inForce"] }],
  filters: { kind: {}, effect: {}, enabled: { type: "boolean" } },
});
