import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const Nonce = z.object({
  /** SHA-256 of the nonce, hex. */
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  expiresAt: Time,
  appId: z.string(),
  userId: z.string(),
  relayState: z.string().nullable(),
  /** When and how whoever asked had signed in, as their principal tells. */
  authenticatedAt: z.int().nullable(),
  authenticatedBy: z.literal("password").nullable(),
  /** The token by which it was asked for, and the state of the credential that it is of. Older versions keep none. */
  tokenId: z.string().nullable().optional(),
  securityVersion: z.int().nullable().optional(),
});
export type Nonce = z.output<typeof Nonce>;

/** Sign-ons that were asked for and not used yet. Each is found by its nonce alone, whoever opens its address. */
export const samlNonces = defineCollection<Nonce>({
  name: "saml_nonces",
  prefix: null,
  scope: "platform",
  schema: Nonce,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
});

const UsedMessage = z.object({ id: z.string(), version: z.int().min(1), createdAt: Time, expiresAt: Time });
export type UsedMessage = z.output<typeof UsedMessage>;

/** Messages that were used, by a hash of issuer and id, for longer than they are accepted. */
export const samlUsedMessages = defineCollection<UsedMessage>({
  name: "saml_used_messages",
  prefix: null,
  schema: UsedMessage,
  fields: { expiresAt: { type: "time" } },
  secrets: [],
  indexes: [{ where: [], by: "expiresAt" }],
});
