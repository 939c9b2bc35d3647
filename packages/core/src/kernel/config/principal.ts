/** Who is acting. Made by an authenticator, or handed in by the host; the roles are read per request, never from the token. */
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
  /** The token's `jti`, when a token was presented. */
  readonly tokenId?: string;
  /** When that token expires, in milliseconds since the epoch. */
  readonly tokenExpiresAt?: number;
}

/** The system, for what time and no person does. */
export function systemPrincipal(tenantId: string): Principal {
  return { kind: "system", tenantId, userId: "system", username: "system", roles: [], permissions: new Set() };
}
