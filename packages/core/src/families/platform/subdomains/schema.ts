import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const Subdomain = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/, "3 to 63 of a-z, 0-9 and -, neither first nor last a hyphen.")
  .meta({ description: "DNS label; made from the organisation's name when absent.", example: "acme" });

const ClaimedSubdomain = z.object({
  /** The subdomain itself. */
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Until when a former name is held for its tenant. `null` while it is in use. */
  heldUntil: Time.nullable(),
});
export type ClaimedSubdomain = z.output<typeof ClaimedSubdomain>;

/**
 * Every subdomain that is in use or held for its former tenant. One collection holds both, so one unique key prevents
 * races.
 */
export const subdomains = defineCollection<ClaimedSubdomain>({
  name: "subdomains",
  prefix: null,
  scope: "platform",
  schema: ClaimedSubdomain,
  fields: { heldUntil: { type: "time" } },
  indexes: [{ where: [], by: "heldUntil", partial: true }],
});
