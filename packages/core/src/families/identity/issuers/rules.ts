/** An OIDC issuer of the host whose tokens are accepted, and which of their claims say whom they stand for. */
export interface TrustedIssuer {
  /** The `iss` of its tokens, exactly. */
  readonly issuer: string;
  /** The `aud` that its tokens for this service carry. */
  readonly audience: string;
  /** Where its public keys are; read off its OIDC metadata when absent. */
  readonly jwksUri?: string;
  /** Claim with the tenant's id or subdomain. */
  readonly tenantClaim?: string;
  /** Claim with a user name. Without it and `tenantClaim` its tokens are no bearers, and good for token exchange only. */
  readonly usernameClaim?: string;
  /**
   * Claim with names of roles, in place of those the user has here; names that do not exist are passed over. Without it a user
   * of that name must exist in the tenant.
   */
  readonly rolesClaim?: string;
}

/** What is wrong with these issuers; `undefined` when they can be used. */
export function trustedIssuersFault(trusted: readonly TrustedIssuer[], baseUrl: string): string | undefined {
  const names = trusted.map(({ issuer }) => issuer);
  if (names.includes(baseUrl)) return "must not name this service itself";
  if (new Set(names).size < names.length) return "must not name an issuer twice";
  return trusted.map(faultOf).find((fault) => fault !== undefined);
}

function faultOf({ issuer, jwksUri, audience, ...claims }: TrustedIssuer): string | undefined {
  const { tenantClaim, usernameClaim, rolesClaim } = claims;
  for (const url of [issuer, jwksUri]) {
    if (url !== undefined && !URL.canParse(url)) return `"${url}" must be an absolute URL`;
  }
  if (typeof audience !== "string" || audience === "") return "need an audience";
  if (usernameClaim !== undefined && !tenantClaim) return "need tenantClaim with usernameClaim";
  if (rolesClaim !== undefined && !usernameClaim) return "need usernameClaim with rolesClaim";
  return undefined;
}
