import { z } from "#schema/z.js";

const Text = z.string().max(2_048);
const Jwt = z.string().max(16_384);

export const GRANTS = {
  clientCredentials: "client_credentials",
  refreshToken: "refresh_token",
  tokenExchange: "urn:ietf:params:oauth:grant-type:token-exchange",
} as const;

/** Client authentication in the body. The alternative is the header `Authorization: Basic`. */
export const clientProof = {
  client_id: Text.optional().meta({ description: "Id of the identity." }),
  client_secret: Text.optional().meta({ description: "The secret of its credential.", format: "password" }),
  client_assertion_type: Text.optional().meta({ description: "For `client_assertion`, RFC 7523." }),
  client_assertion: Jwt.optional().meta({ description: "`private_key_jwt`, RFC 7523." }),
};

const ClientFields = z.object(clientProof);
export type ClientFields = z.output<typeof ClientFields>;

/**
 * Parameters of the grants of RFC 6749 and RFC 8693, as JSON or as a form. Unknown ones are ignored, as OAuth demands.
 */
export const TokenRequest = z
  .object({
    grant_type: Text.meta({
      description: `One of ${Object.values(GRANTS).join(", ")}.`,
      example: "client_credentials",
    }),
    scope: z
      .string()
      .max(4_096)
      .optional()
      .meta({ description: "Permissions to narrow the token to, spaces between." }),
    resource: Text.optional().meta({
      description: "Address that the token is for alone, RFC 8707; for an identity assertion that of the MCP server.",
    }),
    refresh_token: Text.optional().meta({ description: "The last one of the sign-in." }),
    subject_token: Jwt.optional().meta({
      description: "Token of a trusted issuer; for an identity assertion the token of a person.",
    }),
    subject_token_type: Text.optional().meta({ description: "Type of `subject_token`." }),
    requested_token_type: Text.optional().meta({ description: "Type of token wanted." }),
    audience: Text.optional().meta({
      description: "For an identity assertion: issuer of the authorization server that takes it.",
    }),
    authorization_details: z.unknown().optional().meta({ description: "Refused: only scopes are granted here." }),
    actor_token: Jwt.optional().meta({ description: "Refused: nobody acts for somebody else here." }),
    ...clientProof,
  })
  .meta({ id: "TokenRequest", example: { grant_type: "refresh_token", refresh_token: "rt_…" } });
export type TokenRequest = z.output<typeof TokenRequest>;

export const TokenAnswer = z
  .object({
    access_token: z.string().meta({
      description: "JWT; send it as `Authorization: Bearer`, unless it is an identity assertion.",
    }),
    token_type: z.enum(["Bearer", "N_A"]).meta({ description: "How to send it; `N_A`: an identity assertion." }),
    expires_in: z.int().meta({ description: "Seconds until the token expires." }),
    scope: z
      .string()
      .optional()
      .meta({ description: "What the token may do; absent when it may do all that its user may." }),
    refresh_token: z.string().optional().meta({ description: "Takes the place of the one that was sent." }),
    issued_token_type: z.string().optional().meta({ description: "After a token exchange." }),
  })
  .meta({ id: "TokenAnswer" });
export type TokenAnswer = z.output<typeof TokenAnswer>;
