/** Who is acting. Comes from an authenticator or from the host. Roles are read per request, never from the token. */
export interface Principal {
  /** A person, a machine (an AI identity with a credential), or Reeve itself. */
  readonly kind: "user" | "client" | "system";
  readonly tenantId: string;
  /** Id of the user, or of the AI identity. */
  readonly userId: string;
  /** E-mail address of the user, or client id of the AI identity. */
  readonly username: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** Whether the host has told the roles for this request, so that no record here holds them. */
  readonly rolesFromHost?: true;
  /** The token's `jti`, when a token was presented. */
  readonly tokenId?: string;
  /** The state of the account's credential that the token is of. */
  readonly securityVersion?: number;
  /** When that token expires, in milliseconds since the epoch. */
  readonly tokenExpiresAt?: number;
  /** When they proved who they are, in milliseconds since the epoch; absent where only the host knows. */
  readonly authenticatedAt?: number;
  /** How they did. Anything else is for those to say who know. */
  readonly authenticatedBy?: "password";
  /** Whether they proved a second factor as well; absent where they did not, or only the host knows. */
  readonly withFactor?: boolean;
  /** Whether the token came in the cookie of the pages of sign-on, so that a logout there ends it. */
  readonly byCookie?: true;
  /** Whether they came by the cookie of a browser session, whose id is `tokenId`. */
  readonly bySession?: true;
}

/** The system principal, for work that time starts and no person. */
export function systemPrincipal(tenantId: string): Principal {
  return { kind: "system", tenantId, userId: "system", username: "system", roles: [], permissions: new Set() };
}
