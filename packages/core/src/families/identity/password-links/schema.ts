import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Password } from "../users/schema.js";

export const PURPOSES = ["invitation", "reset"] as const;
export type LinkPurpose = (typeof PURPOSES)[number];

export const SetPassword = z
  .strictObject({
    token: z.string().min(1).max(256).meta({ description: "What stands behind `#token=` in the mailed link." }),
    newPassword: Password.min(1),
  })
  .meta({ id: "SetPassword", example: { token: "from the mailed link", newPassword: "a long passphrase of hers" } });

export const PasswordSet = z
  .object({ username: z.string().meta({ description: "Whose password it is; sign in with it." }) })
  .meta({ id: "PasswordSet" });

const PasswordLink = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  purpose: z.enum(PURPOSES),
  /** The version of the credential at its issue. Any other version invalidates it. */
  securityVersion: z.int().min(1),
  /** Keyed hash of the last mailed token. `null` before the first mail. */
  tokenHash: z.string().nullable(),
  expiresAt: Time,
  mail: z.enum(["due", "sent", "failed"]),
  tries: z.int().min(0),
  nextTryAt: Time,
});
export type PasswordLink = z.output<typeof PasswordLink>;

/** Pending links to set a password, one per user. The id is the user's. A new link replaces the old one. */
export const passwordLinks = defineCollection<PasswordLink>({
  name: "password_links",
  prefix: null,
  scope: "platform",
  schema: PasswordLink,
  fields: {
    tokenHash: { type: "text", compare: "exact" },
    mail: { type: "text" },
    nextTryAt: { type: "time" },
    expiresAt: { type: "time" },
  },
  unique: { token: ["tokenHash"] },
  indexes: [
    { where: ["mail"], by: "nextTryAt" },
    { where: [], by: "expiresAt" },
  ],
});
