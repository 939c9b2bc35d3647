import { CREDENTIAL_DAYS, OVERLAP_SECONDS, PublicJwk } from "#families/identity/index.js";
import { Name } from "#kernel/records/generic-body.js";
import { EndTime, recordFields, Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";

const expiresAt = EndTime.meta({
  description: `When it ends; in ${CREDENTIAL_DAYS.default} days when absent, at most ${CREDENTIAL_DAYS.most} days away, and never after the identity's \`credentialExpiresAt\`.`,
});
const wish = {
  name: Name.optional(),
  expiresAt: expiresAt.optional(),
  publicJwk: PublicJwk.optional().meta({
    description: "The public key of the client, for `private_key_jwt`. Without one a secret is made.",
  }),
};

export const CredentialRequest = z
  .strictObject(wish)
  .meta({ id: "ClientCredentialRequest", example: { name: "Of the first deployment" } });

export const CredentialRotation = z
  .strictObject({
    ...wish,
    overlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS.most)
      .optional()
      .meta({
        description: `How long the old credential works on; ${OVERLAP_SECONDS.default} when absent. With 0 it ends at once, and so does every token of the identity.`,
      }),
  })
  .meta({ id: "ClientCredentialRotation", example: { overlapSeconds: 3600 } });

/** A credential as it is listed, without its secret. */
export const Credential = z
  .object({
    id: z.string().meta({ description: "Id of the credential." }),
    name: Name,
    status: z.enum(["active", "superseded", "expired"]).meta({
      description: "`superseded`: replaced by a rotation, and works until `expiresAt`.",
    }),
    identityId: z.string().meta({ description: "Id of the identity." }),
    clientId: z.string().meta({ description: "What the client calls itself; the id of the identity." }),
    method: z.enum(["client_secret", "private_key_jwt"]).meta({ description: "How the client authenticates." }),
    publicJwk: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: "Its public key; `null` for a secret." }),
    createdAt: recordFields.createdAt,
    createdBy: recordFields.createdBy,
    expiresAt: Time.meta({ description: "When it ends." }),
    lastUsedAt: Time.nullable().meta({ description: "At most a minute behind." }),
    replacedBy: z.string().nullable().meta({ description: "Id of the credential after it." }),
  })
  .meta({ id: "ClientCredential" });

const issued = {
  id: z.string().meta({ description: "Id of the credential." }),
  clientId: z.string().meta({ description: "What the client calls itself." }),
  clientSecret: z
    .string()
    .optional()
    .meta({ description: "Shown this once and kept only as a hash. Absent when a key was given." }),
  expiresAt: Time.meta({ description: "When it ends." }),
};

export const IssuedCredential = z.object(issued).meta({ id: "IssuedClientCredential" });

export const RotatedCredential = z
  .object({
    ...issued,
    replaces: z
      .object({
        id: z.string().meta({ description: "Id of the credential." }),
        expiresAt: Time.meta({ description: "Until then the old one works." }),
      })
      .meta({ description: "The credential before it." }),
  })
  .meta({ id: "RotatedClientCredential" });
