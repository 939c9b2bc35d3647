import { z } from "zod";
import { defineCollection } from "../../../kernel/records/collection.js";
import { Time } from "../../../kernel/records/record.js";
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
  /** The version of the credential it was issued for; any other one kills it. */
  securityVersion: z.int().min(1),
  /** Keyed hash of the token that was mailed last; `null` before that. */
  tokenHash: z.string().nullable(),
  expiresAt: Time,
  mail: z.enum(["due", "sent", "failed"]),
  tries: z.int().min(0),
  nextTryAt: Time,
});
export type PasswordLink = z.output<typeof PasswordLink>;

/** Links under way by which a user sets a password, one per user: the id is the user's. Issuing another replaces it. */
export const passwordLinks = defineCollection<PasswordLink>({
  name: "password_links",
  prefix: null,
  scope: "platform",
  schema: PasswordLink,
  fields: {
    tokenHash: { type: "text" },
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
