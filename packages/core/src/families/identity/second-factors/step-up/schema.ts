import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { METHODS } from "../../sessions/schema.js";
import { ChallengeText, Code, PasskeyAnswer, RecoveryCode } from "../schema.js";

const FactorProof = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  userId: z.string(),
  provenAt: Time,
  /** When the token or session is over that it is of. */
  expiresAt: Time,
});
export type FactorProof = z.output<typeof FactorProof>;

/** When a second factor was last proven within a sign-in. The id is that of its token or browser session. */
export const factorProofs = defineCollection<FactorProof>({
  name: "factor_proofs",
  prefix: null,
  schema: FactorProof,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
  secrets: [],
});

export const ProveAgain = z
  .strictObject({
    code: Code.optional(),
    recoveryCode: RecoveryCode.optional(),
    challenge: ChallengeText.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .meta({ id: "SecondFactorProof", example: { code: "492039" } });

export const ProvenAgain = z
  .object({ provenAt: Time.meta({ description: "From now on this sign-in counts as proven at this moment." }) })
  .meta({ id: "SecondFactorProven" });

export const FactorChallenge = z
  .object({
    challenge: ChallengeText,
    methods: z.array(z.enum(METHODS)).meta({ description: "What it can be answered with." }),
    passkey: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Options for `navigator.credentials.get`, where there is a passkey." }),
  })
  .meta({ id: "SecondFactorChallenge" });
