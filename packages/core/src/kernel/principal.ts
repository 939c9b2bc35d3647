/** Who is acting. Made by an authenticator, or handed in by the host; the roles are read per request, never from the token. */
export interface Principal {
  readonly kind: "user" | "client" | "system";
  readonly tenantId: string;
  readonly userId: string;
  readonly username: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
  /** The token's `jti`, when a token was presented. */
  readonly tokenId?: string;
}

/** Reeve itself, for what time and not a person brings about. */
export function systemPrincipal(tenantId: string): Principal {
  return { kind: "system", tenantId, userId: "system", username: "system", roles: [], permissions: new Set() };
}
