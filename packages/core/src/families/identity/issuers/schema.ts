import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";

const ForeignIdentity = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** The `iss` and `sub` of the tokens that stand for the user. */
  issuer: z.string(),
  subject: z.string(),
  userId: z.string(),
});
export type ForeignIdentity = z.output<typeof ForeignIdentity>;

/** Which user of the tenant a subject of a trusted issuer is. Linked once, it holds whatever address the issuer names later. */
export const foreignIdentities = defineCollection<ForeignIdentity>({
  name: "foreign_identities",
  prefix: "fid",
  schema: ForeignIdentity,
  fields: { issuer: { type: "text" }, subject: { type: "text" }, userId: { type: "text" } },
  unique: { subject: ["issuer", "subject"], user: ["issuer", "userId"] },
  indexes: [{ where: ["userId"] }],
  secrets: [],
});
