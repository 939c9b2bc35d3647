import type { Context } from "#kernel/operation/context.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** The most links of one user. */
const MOST_LINKS = 100;

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

/** Deletes the links of a deleted user. */
export async function unlinkUser(ctx: Context, userId: string): Promise<void> {
  const { rows } = await ctx.db.find(foreignIdentities, { where: { userId }, size: MOST_LINKS });
  for (const { value } of rows) await ctx.remove(foreignIdentities, value);
}
