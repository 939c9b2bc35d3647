import { SIGNING_ALGORITHMS } from "#families/options.js";
import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const SigningKey = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  /** `next` is published but does not sign yet, `active` signs, `retiring` only verifies. */
  status: z.enum(["next", "active", "retiring"]),
  activatedAt: Time.nullable(),
  /** When a retiring key stops verifying. `tick` deletes it later. */
  retiresAt: Time.nullable(),
  alg: z.enum(SIGNING_ALGORITHMS),
  publicJwk: z.record(z.string(), z.unknown()),
  sealedPrivateJwk: z.string(),
});
export type SigningKey = z.output<typeof SigningKey>;

/** Keys that sign access tokens, with sealed private halves. The id is the `kid`. Rows belong to the platform. */
export const signingKeys = defineCollection<SigningKey>({
  name: "signing_keys",
  broadcast: true,
  prefix: "key",
  schema: SigningKey,
  fields: { slot: { type: "text", compare: "exact", of: ({ status }) => (status === "retiring" ? null : status) } },
  unique: { slot: ["slot"] },
  sealed: ["sealedPrivateJwk"],
  secrets: [],
});
