import { z } from "zod";
import { defineCollection } from "../../../kernel/collection.js";
import { Time } from "../../../kernel/record.js";
import { Password } from "../users/schema.js";

export const SignIn = z
  .looseObject({ username: z.string().min(1).max(254), password: Password.min(1) })
  .meta({ id: "SignIn", example: { username: "ada@acme.example", password: "a long passphrase of hers" } });

export const SignedIn = z
  .object({
    token: z.string().meta({ description: "JWT; send it as `Authorization: Bearer`." }),
    tokenType: z.literal("Bearer"),
    expiresAt: Time,
    user: z.object({ id: z.string(), username: z.string(), name: z.string(), roles: z.array(z.string()) }),
  })
  .meta({ id: "SignedIn" });

/** A body user name is refused: the password changed is that of the token's principal. */
export const PasswordChange = z
  .strictObject({ currentPassword: Password.min(1), newPassword: Password.min(1) })
  .meta({ id: "PasswordChange" });

const SigningKey = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** `active` for the one key that signs, `null` for keys that only verify. */
  slot: z.literal("active").nullable(),
  alg: z.literal("ES256"),
  publicJwk: z.record(z.string(), z.unknown()),
  sealedPrivateJwk: z.string(),
});
export type SigningKey = z.output<typeof SigningKey>;

/** Keys that sign access tokens, private halves sealed; the id is the `kid`. Rows belong to the platform. */
export const signingKeys = defineCollection<SigningKey>({
  name: "signing_keys",
  prefix: "key",
  schema: SigningKey,
  fields: { slot: { type: "text" } },
  unique: { slot: ["slot"] },
  sealed: ["sealedPrivateJwk"],
  secrets: [],
});
