import { z } from "zod";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";

const ForeignIdentity = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** The `iss` and `sub` of the user's tokens. */
  issuer: z.string(),
  subject: z.string(),
  userId: z.string(),
});
export type ForeignIdentity = z.output<typeof ForeignIdentity>;

/**
 * Links of users of the tenant with subjects of trusted issuers. A link stays valid when the issuer later changes the
 * address.
 */
export const foreignIdentities = defineCollection<ForeignIdentity>({
  name: "foreign_identities",
  prefix: "fid",
  schema: ForeignIdentity,
  fields: {
    issuer: { type: "text", compare: "exact" },
    subject: { type: "text", compare: "exact" },
    userId: { type: "text", compare: "exact" },
  },
  unique: { subject: ["issuer", "subject"], user: ["issuer", "userId"] },
  indexes: [{ where: ["userId"] }],
  secrets: [],
});
