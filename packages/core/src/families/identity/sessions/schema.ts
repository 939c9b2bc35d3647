import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";

const RefreshToken = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** All tokens that follow from one sign-in; the id of the first. */
  familyId: z.string(),
  /** SHA-256 of the token, hex. */
  tokenHash: z.string(),
  userId: z.string(),
  /** That of the user at sign-in; the family dies when it rises. */
  securityVersion: z.int().min(1),
  /** Permissions that the family is narrowed to; `null`: all of the user's. */
  scope: z.array(z.string()).nullable(),
  /** The access token given out together with this one, and when that expires. */
  tokenId: z.string(),
  tokenExpiresAt: Time,
  /** End of the whole family: using it does not prolong it. */
  expiresAt: Time,
  /** When it was exchanged for its successor. Presented again after that, it ends the family. */
  spentAt: Time.nullable(),
});
export type RefreshToken = z.output<typeof RefreshToken>;

/** Refresh tokens of users, spent ones included until their family expires. They are looked up without knowing the tenant. */
export const refreshTokens = defineCollection<RefreshToken>({
  name: "refresh_tokens",
  prefix: "rft",
  scope: "platform",
  schema: RefreshToken,
  fields: {
    tokenHash: { type: "text" },
    familyId: { type: "text" },
    tokenId: { type: "text" },
    expiresAt: { type: "time" },
  },
  unique: { tokenHash: ["tokenHash"] },
  indexes: [{ where: ["familyId"] }, { where: ["tokenId"] }, { where: [], by: "expiresAt" }],
});
