import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

/** What people sign in with besides a password: an app's code, a passkey, or a recovery code. */
export const METHODS = ["totp", "passkey", "recovery_code"] as const;
export type Method = (typeof METHODS)[number];

const RefreshToken = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** Shared by all tokens that follow from one sign-in: the id of the first. */
  familyId: z.string(),
  /** SHA-256 of the token, hex. */
  tokenHash: z.string(),
  userId: z.string(),
  /** The user's security version at sign-in. A higher one invalidates the family. */
  securityVersion: z.int().min(1),
  /** Permissions that the family is limited to. `null`: all of the user's. */
  scope: z.array(z.string()).nullable(),
  /** The access token issued with this one, and its expiry. */
  tokenId: z.string(),
  tokenExpiresAt: Time,
  /** When the user signed in, and whether a second factor was proven then. */
  authenticatedAt: Time,
  withFactor: z.boolean(),
  /** End of the whole family. Use does not extend it. */
  expiresAt: Time,
  /** When it was exchanged for its successor. A second use ends the family. */
  spentAt: Time.nullable(),
});
export type RefreshToken = z.output<typeof RefreshToken>;

/** Refresh tokens of users, including used ones until their family expires. They are looked up without a tenant. */
export const refreshTokens = defineCollection<RefreshToken>({
  name: "refresh_tokens",
  prefix: "rft",
  scope: "platform",
  schema: RefreshToken,
  fields: {
    tokenHash: { type: "text", compare: "exact" },
    familyId: { type: "text" },
    tokenId: { type: "text" },
    expiresAt: { type: "time" },
  },
  unique: { tokenHash: ["tokenHash"] },
  indexes: [{ where: ["familyId"] }, { where: ["tokenId"] }, { where: [], by: "expiresAt" }],
});
