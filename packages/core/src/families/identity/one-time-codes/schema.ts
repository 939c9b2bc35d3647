import { defineCollection } from "#kernel/records/collection.js";
import { GenericBody } from "#kernel/records/generic-body.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Username } from "../users/schema.js";

const Purpose = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, "Lower-case letters, digits, _ and -, at most 64.")
  .meta({ description: "What the code is for; `registration` when absent. Others are the host's own." });

/** The fields of a request for a code, at the top level or in `configuration` of the published generic body. */
export const CodeRequest = z.object({ email: Username, purpose: Purpose.default("registration") });

/** The fields that prove the arrival of a code. */
export const CodeProof = CodeRequest.extend({
  otp: z.string().min(1).max(64).meta({ description: "The code as mailed: eight digits.", example: "40718203" }),
});

const fields = CodeProof.partial().shape;
const { email, purpose } = fields;
const { name: _name, status: _status, ...generic } = GenericBody.shape;

export const SendOtp = z
  .looseObject({ email, purpose, ...generic })
  .meta({ id: "SendOtp", example: { email: "ada@acme.example", purpose: "registration" } });

export const VerifyOtp = z
  .looseObject({ ...fields, ...generic })
  .meta({ id: "VerifyOtp", example: { email: "ada@acme.example", purpose: "registration", otp: "40718203" } });

export const OtpSent = z
  .object({ expiresAt: Time.meta({ description: "When the code stops working." }) })
  .meta({ id: "OtpSent" });

export const OtpVerified = z
  .object({
    verificationToken: z.string().meta({ description: "Proof of the address; works once, for this purpose." }),
    expiresAt: Time.meta({ description: "When it ends." }),
  })
  .meta({ id: "OtpVerified" });

const OneTimeCode = z.object({
  id: z.string(),
  version: z.int().min(1),
  createdAt: Time,
  codeHash: z.string(),
  tries: z.int().min(0),
  expiresAt: Time,
});
export type OneTimeCode = z.output<typeof OneTimeCode>;

/** Pending codes, one per address and purpose. The id is their keyed hash. Rows belong to the platform. */
export const oneTimeCodes = defineCollection<OneTimeCode>({
  name: "one_time_codes",
  prefix: null,
  schema: OneTimeCode,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
});

const AddressProof = z.object({
  id: z.string(),
  version: z.literal(1),
  createdAt: Time,
  /** The keyed hash of address and purpose. */
  target: z.string(),
  expiresAt: Time,
});
export type AddressProof = z.output<typeof AddressProof>;

/**
 * Proofs of addresses that were not used yet. The id is the keyed hash of the verification token. Rows belong to the
 * platform.
 */
export const addressProofs = defineCollection<AddressProof>({
  name: "address_proofs",
  prefix: null,
  schema: AddressProof,
  fields: { expiresAt: { type: "time" } },
  indexes: [{ where: [], by: "expiresAt" }],
});
