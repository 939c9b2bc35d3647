import { defineCollection } from "#kernel/records/collection.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

export const FACTOR_KINDS = ["totp", "passkey", "recovery_codes"] as const;

const Passkey = z.object({
  credentialId: z.string(),
  /** COSE key, base64url. */
  publicKey: z.string(),
  /** The authenticator's count of uses. Many always say 0. */
  counter: z.int().min(0),
  transports: z.array(z.string()),
});

const SecondFactor = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  userId: z.string(),
  kind: z.enum(FACTOR_KINDS),
  name: z.string(),
  /** `null` until its owner has shown that it works. */
  confirmedAt: Time.nullable(),
  /** When one that was not confirmed is dropped. */
  expiresAt: Time.nullable(),
  lastUsedAt: Time.nullable(),
  /** Of one-time passwords. */
  sealedSecret: z.string().nullable(),
  /** The time step of the last code that was taken. Earlier ones and itself are worth nothing any more. */
  usedStep: z.int().nullable(),
  /** Keyed hashes of recovery codes that were not used yet. */
  codeHashes: z.array(z.string()),
  /** Of passkeys. */
  passkey: Passkey.nullable(),
  /** The last challenges that a passkey has answered. */
  challenges: z.array(z.string()),
});
export type SecondFactor = z.output<typeof SecondFactor>;

/** What only one factor of a person may be. Confirmed passkeys may be several. */
const slotOf = ({ userId, kind, confirmedAt }: SecondFactor): string | null => {
  if (confirmedAt === null) return `${userId} ${kind} pending`;
  return kind === "passkey" ? null : `${userId} ${kind}`;
};

/** Second factors of people, apart from the users that the API serves. */
export const secondFactors = defineCollection<SecondFactor>({
  name: "second_factors",
  prefix: "fac",
  schema: SecondFactor,
  fields: {
    userId: { type: "text", compare: "exact" },
    slot: { type: "text", compare: "exact", of: slotOf },
    credentialId: { type: "text", compare: "exact", of: ({ passkey }) => passkey?.credentialId ?? null },
    expiresAt: { type: "time" },
  },
  unique: { slot: ["slot"], credential: ["credentialId"] },
  indexes: [{ where: ["userId"] }, { where: [], by: "expiresAt", partial: true }],
  sealed: ["sealedSecret"],
});

const Use = {
  createdAt: Time.meta({ description: "Since when it counts." }),
  lastUsedAt: Time.nullable().meta({ description: "When it was last used; `null` for never." }),
};

const PasskeyText = z.string().max(16_384);
/** What a browser answers. The engine reads what it knows of it. */
export const PasskeyAnswer = z
  .looseObject({
    id: z.string().max(2_048).meta({ description: "Id of the passkey." }),
    response: z
      .record(z.string().max(64), z.union([PasskeyText, z.array(z.string().max(64)).max(20), z.number()]))
      .meta({
        description: "The response of the authenticator.",
      }),
  })
  .meta({ description: "The answer of `navigator.credentials`, in its JSON form." });

const PasskeyOptions = z
  .record(z.string(), z.unknown())
  .meta({ description: "Options for `navigator.credentials`, in their JSON form." });

export const SecondFactors = z
  .object({
    required: z.boolean().meta({ description: "Whether the organisation demands a second factor." }),
    oneTimePassword: z.object(Use).nullable().meta({ description: "The app for one-time passwords, if there is one." }),
    passkeys: z
      .array(
        z.object({
          id: z.string().meta({ description: "Id of the passkey here." }),
          name: z.string().meta({ description: "What its owner calls it." }),
          ...Use,
        }),
      )
      .meta({ description: "The passkeys of the person." }),
    recoveryCodes: z
      .object({ ...Use, left: z.int().meta({ description: "How many were not used yet." }) })
      .nullable()
      .meta({ description: "Codes for the day on which everything else is lost." }),
  })
  .meta({ id: "SecondFactors" });

const RecoveryCodesList = z
  .array(z.string())
  .meta({ description: "Recovery codes, each good once. They are shown this once.", example: ["k3v7q-9wxyz"] });

export const RecoveryCodes = z.object({ recoveryCodes: RecoveryCodesList }).meta({ id: "RecoveryCodes" });

/** The answer to a confirmed factor: the first one brings recovery codes. */
export const FactorConfirmed = z
  .object({ recoveryCodes: RecoveryCodesList.optional() })
  .meta({ id: "SecondFactorConfirmed" });

export const OneTimePasswordBegun = z
  .object({
    secret: z.string().meta({ description: "The secret in base32, to type into an app." }),
    uri: z.string().meta({ description: "The same as an `otpauth:` address, for a QR code." }),
    expiresAt: Time.meta({ description: "Until when it can be confirmed." }),
  })
  .meta({ id: "OneTimePasswordBegun" });

export const Code = z
  .string()
  .max(20)
  .meta({ description: "The six digits that the app shows.", example: "492039", format: "password" });
export const RecoveryCode = z.string().max(40).meta({ description: "One of the recovery codes.", format: "password" });
export const ChallengeText = z
  .string()
  .min(1)
  .max(2_048)
  .meta({ description: "`challenge` of the refusal `second_factor_required`, good for five minutes." });

export const CodeConfirmation = z.strictObject({ code: Code }).meta({
  id: "OneTimePasswordConfirmation",
  example: { code: "492039" },
});

const PasskeyName = z
  .string()
  .min(1)
  .max(100)
  .default("Passkey")
  .meta({ description: "What to call it.", example: "Work laptop" });

export const PasskeyBegun = z
  .object({ options: PasskeyOptions, expiresAt: Time.meta({ description: "Until when it can be confirmed." }) })
  .meta({ id: "PasskeyBegun" });

export const PasskeyBegin = z
  .strictObject({ name: PasskeyName })
  .meta({ id: "PasskeyBegin", example: { name: "Key" } });

export const PasskeyConfirmation = z.strictObject({ passkey: PasskeyAnswer }).meta({
  id: "PasskeyConfirmation",
  example: { passkey: { id: "AQID", rawId: "AQID", type: "public-key", response: { clientDataJSON: "e30" } } },
});

/** What was begun with a challenge: the fields of the method that was chosen. */
export const EnrolmentBegun = z
  .object({
    ...OneTimePasswordBegun.partial({ secret: true, uri: true }).shape,
    options: PasskeyOptions.optional(),
  })
  .meta({ id: "SecondFactorBegun" });

export const ENROLLED = ["totp", "passkey"] as const;

export const Enrolment = z
  .strictObject({
    challenge: ChallengeText,
    method: z.enum(ENROLLED).meta({ description: "What is set up." }),
  })
  .meta({ id: "SecondFactorEnrolment", example: { challenge: "of the refusal", method: "totp" } });
