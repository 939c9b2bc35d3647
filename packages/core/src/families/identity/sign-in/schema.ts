import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { ChallengeText, Code, PasskeyAnswer, RecoveryCode, RecoveryCodes } from "../second-factors/schema.js";
import { Password } from "../users/schema.js";

export const SignIn = z
  .looseObject({
    username: z
      .string()
      .min(1)
      .max(254)
      .optional()
      .meta({ description: "The e-mail address of the user. Wanted unless `challenge` is sent." }),
    password: Password.min(1).optional(),
    tenant: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .meta({ description: "Id, subdomain or alias of the tenant.", example: "acme" }),
    challenge: ChallengeText.optional(),
    code: Code.optional(),
    recoveryCode: RecoveryCode.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .meta({ id: "SignIn", example: { username: "ada@acme.example", password: "correct horse battery staple" } });

export const SignedIn = z
  .object({
    token: z.string().meta({ description: "JWT; send it as `Authorization: Bearer`." }),
    tokenType: z.literal("Bearer").meta({ description: "How to send it." }),
    expiresAt: Time.meta({ description: "When the token ends." }),
    refreshToken: z
      .string()
      .meta({ description: "For the grant `refresh_token` of `POST /api/v1/auth/token`; good once." }),
    refreshExpiresAt: Time.meta({ description: "When `refreshToken` ends." }),
    recoveryCodes: RecoveryCodes.shape.recoveryCodes.optional(),
    user: z
      .object({
        id: z.string().meta({ description: "Id of the user." }),
        username: z.string().meta({ description: "The e-mail address of the user." }),
        name: z.string().meta({ description: "The name that people are shown." }),
        roles: z.array(z.string()).meta({ description: "Names of roles." }),
      })
      .meta({ description: "Who has signed in." }),
  })
  .meta({ id: "SignedIn" });

/** A user name in the body is refused, because the password is always that of the token's principal. */
export const PasswordChange = z.strictObject({ currentPassword: Password.min(1), newPassword: Password.min(1) }).meta({
  id: "PasswordChange",
  example: { currentPassword: "correct horse battery staple", newPassword: "a better phrase than before" },
});
